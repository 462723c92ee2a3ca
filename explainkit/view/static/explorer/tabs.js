// The panels below the graph, one at a time: story, overrides, verdicts and the rest of the evidence.
const UNASKED = "This panel was not asked for before the kernel went: run the cell again.";

function tabPanel(desk, panels) {
  const bar = make("div", "ek-tabs"), holder = make("div", "ek-tab-holder");
  bar.setAttribute("role", "tablist");
  bar.setAttribute("aria-label", "More of the evidence");
  let open = null;
  const tabs = panels.map((panel) => {
    const tab = button("", () => pick(panel.key), { className: "ek-tab" });
    const body = make("div", "ek-tab-body");
    [tab.id, body.id] = [uniqueName("tab"), uniqueName("panel")];
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", body.id);
    body.setAttribute("role", "tabpanel");
    body.setAttribute("aria-labelledby", tab.id);
    body.tabIndex = 0;
    bar.append(tab);
    holder.append(body);
    return { ...panel, tab, body, fresh: false };
  });
  const seen = () => tabs.filter((each) => !each.tab.hidden);

  function choose(key, { focus = false } = {}) {
    const chosen = tabs.find((each) => each.key === key && !each.tab.hidden) ?? seen()[0];
    bar.hidden = holder.hidden = !chosen;
    open = chosen?.key ?? null;
    for (const each of tabs) {
      const on = each === chosen;
      each.tab.setAttribute("aria-selected", String(on));
      each.tab.tabIndex = on ? 0 : -1;
      each.body.hidden = !on;
    }
    if (focus) chosen?.tab.focus();
    if (chosen && !chosen.fresh && near) fill(chosen);
  }

  // A page has its answers at hand; a kernel is asked when somebody comes near enough to read them.
  let near = !desk.host.exact;
  const watch = new IntersectionObserver((places) => {
    if (!places.some((place) => place.isIntersecting)) return;
    watch.disconnect();
    near = true;
    choose(open);
  }, { rootMargin: "200px" });
  if (!near) watch.observe(bar);

  /** Opens a panel because a person wants to see it. */
  function pick(key, how) {
    near = true;
    choose(key, how);
  }

  async function fill(panel) {
    panel.fresh = true;
    const nodes = panel.of(desk.shown);
    if (!(nodes instanceof Promise)) return panel.body.replaceChildren(...nodes);
    panel.body.replaceChildren(make("p", "ek-note", "Asking …"));
    const found = await nodes;
    if (!found) panel.fresh = false;
    return panel.body.replaceChildren(...(found ?? [make("p", "ek-note", desk.gone ? UNASKED : "Nothing came back for this panel: the line of status says why.")]));
  }

  bar.addEventListener("keydown", (event) => {
    const those = seen(), at = those.findIndex((each) => each.key === open);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: those.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    pick(those[(to + those.length) % those.length].key, { focus: true });
  });

  return {
    nodes: [bar, holder],
    /** Opens a panel, and brings it where it is seen. */
    open(key) {
      pick(key, { focus: true });
      bar.scrollIntoView({ block: "start" });
    },
    show(shown) {
      for (const each of tabs) {
        const size = each.size(shown);
        each.tab.hidden = !size;
        const number = typeof size === "number" ? ` ${size.toLocaleString("en")}` : "";
        each.tab.replaceChildren(each.title, make("span", "ek-soft", number));
        if (each.walked) each.fresh = false;
      }
      choose(open);
    },
    close() { watch.disconnect(); },
  };
}

/** Rows of the walk that stand below the graph. A size of `true` shows no number. */
function walkPanels(desk) {
  const rows = (key, title, build) => ({
    key, title, walked: true,
    size: (shown) => (shown[key]?.length ?? 0) + (shown.folded?.[key] ?? 0),
    of: (shown) => withFolded(shown[key].map((row) => build(desk, row)), shown.folded?.[key]),
  });
  const verdicts = rows("verdicts", "Verdicts", verdictCard);
  const unused = [["unsupported", "In no upstream text"], ["left_out", "Never reached the model"],
    ["ignored", "Reached the model, not carried into the answer"], ["exposures", "What else the model saw"]];
  return {
    changes: rows("changes", "Overrides", changeCard),
    verdicts: {
      ...verdicts,
      size: (shown) => verdicts.size(shown) + sum((shown.judged_steps ?? []).map((each) => each.verdicts.length + each.more)),
      of: (shown) => [...verdicts.of(shown), ...(shown.judged_steps ?? []).map((each) => stepVerdicts(desk, each))],
    },
    custody: rows("custody", "Custody", custodyCard),
    support: rows("support", "Coverage", supportLine),
    unused: {
      key: "unused", title: "Left out", walked: true,
      size: (shown) => (shown.left_out?.length ?? 0) + (shown.folded?.left_out ?? 0) || unused.some(([key]) => shown[key]?.length),
      of: (shown) => unused.map(([key, title]) => section(title,
        withFolded((shown[key] ?? []).map((row) => namedLine(desk, row)), shown.folded?.[key]))).filter(Boolean),
    },
  };
}

function withFolded(nodes, folded) {
  return folded ? [...nodes, make("p", "ek-note", `… ${folded.toLocaleString("en")} more not shown`)] : nodes;
}

const goTo = (desk, seq, words, className = "ek-plain ek-name") =>
  Number.isInteger(seq) ? button(words, () => desk.go(seq), { className }) : make("span", "ek-name", words);

function changeCard(desk, change) {
  const lines = [["why", change.reason], ["at", change.site], ["outcome", change.outcome]].filter(([, words]) => words);
  const side = (title, pieces) => changeSide(title, pieces, { none: "no text" });
  const touches = change.touches_span ? make("span", "ek-note", " It touches the selected words.") : null;
  return make("div", "ek-block-card", goTo(desk, change.seq, change.title), touches, linesOf(lines),
    make("div", "ek-sides", side("before", change.before), side("after", change.after)));
}

function verdictCard(desk, verdict) {
  const state = verdict.failed && !verdict.stale ? "ek-failed" : "ek-name";
  return make("p", "ek-line", goTo(desk, verdict.seq, verdict.words, `ek-plain ${state}`),
    verdict.reason ? make("span", "ek-note", " ", verdict.reason) : null);
}

function custodyCard(desk, use) {
  const asked = use.asked ? " (the question)" : "";
  const type = make("span", "ek-note", ` ${use.type}${asked} `);
  return make("div", "ek-block-card", goTo(desk, use.seq, use.name), type, badge(use.grade),
    linesOf(use.lines), ...use.quotes.map((pieces) => quote(pieces, "ek-quote ek-block")));
}

function supportLine(desk, line) {
  const parts = ["ek-line", make("span", "ek-verb", line.state), ": ", quote(line.sentence, "ek-text")];
  if (line.detail) parts.push(make("span", "ek-note", ` ${line.detail}`));
  if (line.places.length) parts.push(make("span", "ek-note", `${line.detail ? ";" : ""} from ${line.places.join(", ")}`));
  if (line.disagree.length) parts.push(make("span", "ek-failed", ` numbers that disagree: ${line.disagree.join(", ")}`));
  return make("p", ...parts);
}

function namedLine(desk, row) {
  const remark = make("span", "ek-note", ` ${row.remark} `);
  return make("p", "ek-line", goTo(desk, row.seq, row.name), remark, row.text?.length ? quote(row.text) : null);
}
