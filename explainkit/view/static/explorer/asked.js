// Panels that are asked for when they are opened: story, timeline, machine, tree, ladder.
function askedPanels(desk) {
  const has = (name) => () => (desk.scene.panels ?? []).includes(name);
  return {
    story: { key: "story", title: "Story", size: has("story"), of: async () => storyNodes(desk, await desk.ask("story")) },
    timeline: { key: "timeline", title: "Timeline", size: has("timeline"), of: () => timelineNodes(desk, null, null) },
    machine: { key: "machine", title: "Machine", size: has("machine"), of: async () => machineNodes(desk) },
    tree: { key: "tree", title: "Composition", size: has("tree"), of: async () => treeNodes(desk, await desk.ask("tree")) },
    ladder: { key: "ladder", title: "Answer ladder", size: has("ladder"), of: async () => ladderNodes(desk) },
  };
}

/** Marks the rows of a panel that stand for the record under the cursor, now and when it moves. */
function followed(desk, rows) {
  const mark = () => { for (const [element, seqs] of rows) current(element, seqs.some((seq) => desk.isHere(seq))); };
  desk.onWhile(rows[0]?.[0], "cursor", mark);
  mark();
}

function storyNodes(desk, answer) {
  if (!answer) return null;
  const rows = answer.sentences.map((sentence) => {
    const [first] = sentence.seq, shown = sentence.seq.slice(0, 12), more = sentence.seq.length - shown.length;
    const words = Number.isInteger(first) ? sentenceOf(sentence.text, () => desk.go(first)) : sentence.text;
    const numbers = shown.map((seq, at) => button(shown.length > 1 && at ? String(seq) : recordsOf(shown, seq), () => desk.go(seq),
      { className: "ek-plain ek-number", label: recordOf(seq) }));
    const others = more > 0 ? ` and ${more.toLocaleString("en")} more` : "";
    const folded = sentence.folded ? ` · counts ${counted(sentence.folded, "happening")}` : "";
    return [make("li", "ek-line", words, " ", ...together(numbers), make("span", "ek-note", others, folded)), sentence.seq];
  });
  followed(desk, rows);
  return [...(answer.note ? [make("p", "ek-note", answer.note)] : []), make("ol", "ek-story ek-told", ...rows.map(([item]) => item))];
}

/** Buttons in a sentence; a comma stays with what it follows. */
const together = (buttons) => buttons.flatMap((each, at) => (at < buttons.length - 1 ? [make("span", "ek-together", each, ","), " "] : [each]));

const recordsOf = (seqs, first) => (seqs.length > 1 ? `records ${first}` : recordOf(first));

/** A button that breaks across lines as its sentence does; what follows goes on in the same line. */
function sentenceOf(words, act) {
  const element = make("span", "ek-plain ek-sentence", words);
  element.setAttribute("role", "button");
  element.tabIndex = 0;
  element.addEventListener("click", () => { if (selectionNear(element)?.isCollapsed ?? true) act(); });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return element;
}

/** A length of time given in nanoseconds. */
function lasting(nanoseconds) {
  const seconds = nanoseconds / 1e9;
  if (seconds >= 60) return `${Math.floor(seconds / 60).toLocaleString("en")} min ${Math.round(seconds % 60)} s`;
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(nanoseconds / 1e6).toFixed(nanoseconds < 1e7 ? 1 : 0)} ms`;
}

async function timelineNodes(desk, start, end) {
  const answer = await desk.ask("timeline", { start, end, count: 120 });
  if (!answer) return null;
  const host = make("div", "ek-timeline");
  const show = async (...range) => {
    const nodes = await timelineNodes(desk, ...range);
    if (nodes) host.replaceWith(...nodes);
  };
  const low = start ?? answer.begin, span = Math.max((end ?? answer.end) - low, 1);
  const rows = answer.bars.map((bar) => [timelineRow(desk, bar, low, span, show), [bar.seq]]);
  followed(desk, rows);
  const head = make("p", "ek-note", `${lasting(span)} from left to right`, answer.note ? ` · ${answer.note}` : "", " ");
  if (start !== null) head.append(button("Show all of it", () => show(null, null)));
  host.append(head, ...rows.map(([row]) => row));
  return [host];
}

function timelineRow(desk, bar, low, span, show) {
  const several = bar.count > 1;
  const name = button("", () => (several ? show(bar.begin, bar.end) : desk.go(bar.seq)), { className: "ek-plain ek-bar-name" });
  const others = several ? ` and ${counted(bar.count - 1, "more", "more")}` : "";
  name.append(make("span", "ek-soft", `${bar.word} `), bar.label, others, several ? "" : make("span", "ek-soft", ` ${recordOf(bar.seq)}`));
  const line = make("span", "ek-bar");
  const left = Math.max(0, (bar.begin - low) / span), right = Math.min(1, (bar.end - low) / span);
  line.style.left = `${100 * Math.min(left, 0.998)}%`;
  line.style.width = `${100 * Math.max(0, right - left)}%`;
  line.classList.toggle("ek-open", bar.open);
  return make("div", "ek-bar-row", name, make("div", "ek-track", line),
    make("span", "ek-note ek-bar-words", lasting(bar.end - bar.begin), bar.open ? ", no end" : ""));
}

function machineNodes(desk) {
  const machines = desk.scene.machines ?? [];
  if (!machines.length) return null;
  let link = machines[0].link, turn = 0;
  const picture = make("div", "ek-machine-pane"), words = make("div", "ek-machine-words"), slider = make("input", "ek-slider");
  const at = make("span", "ek-label");
  picture.tabIndex = 0;
  picture.setAttribute("role", "region");
  picture.setAttribute("aria-label", "Drawing of the machine");
  slider.type = "range";
  slider.min = "0";
  slider.setAttribute("aria-label", "Step of the machine");
  async function load(step) {
    const mine = (turn += 1);
    const answer = await desk.ask("machine", { link, step });
    if (!answer || mine !== turn) return;
    slider.max = String(Math.max(0, answer.total - 1));
    slider.value = String(answer.step);
    const place = answer.total ? `step ${answer.step} of ${answer.total - 1}` : "no step";
    slider.setAttribute("aria-valuetext", place);
    at.replaceChildren(place);
    const none = answer.problem ?? "No chart was recorded.";
    picture.replaceChildren(answer.drawing ? machineSvg(answer.drawing) : make("p", "ek-note", none));
    words.replaceChildren(make("p", "ek-name", answer.caption), ...stepLines(desk, answer, load));
  }
  slider.addEventListener("input", () => load(Number(slider.value)));
  const names = machines.map((each) => [each.link, `${each.name} (${counted(each.steps, "step")})`]);
  const pick = (value) => {
    link = Number(value);
    load(null);
  };
  const chosen = names.length > 1 ? chooser("Machine", names, link, pick) : null;
  load(null);
  const key = make("p", "ek-note", "Thick border: active. Filled: visited. Dashed: never entered. Thick arrow: taken last.");
  return [
    make("div", "ek-tools ek-start", chosen, slider, at),
    make("div", "ek-machine-sides", make("div", "", picture, key), words),
  ];
}

function stepLines(desk, answer, load) {
  const list = make("ol", "ek-steps");
  list.start = answer.first; // the start is step 0, as in Python
  for (const step of answer.steps) {
    const left = step.exited.length ? `left ${step.exited.join(", ")}` : "";
    const entered = step.entered.length ? `entered ${step.entered.join(", ")}` : "";
    const open = () => {
      load(step.step);
      desk.go(step.seq);
    };
    const item = make("li", "ek-line", button(step.event, open, { className: "ek-plain ek-name" }),
      make("span", "ek-note", ` ${joined([left, entered, recordOf(step.seq)], "; ")}`));
    current(item, step.step === answer.step);
    list.append(item);
  }
  const left = answer.total - answer.steps.length;
  return left > 0 ? [list, make("p", "ek-note", `… ${left.toLocaleString("en")} more steps: move the slider`)] : [list];
}

function treeNodes(desk, answer) {
  if (!answer) return null;
  const rows = answer.rows.map((row) => {
    const shape = make("span", "ek-tree-shape", row.shape);
    const item = make("div", `ek-line ek-tree-row${row.on_path ? " ek-on" : ""}`, shape, " ",
      goTo(desk, row.seq, row.what), " ", make("span", "ek-soft", row.end));
    item.style.paddingLeft = `${8 + Math.min(row.depth, 24) * 22}px`;
    return [item, row.seq === null ? [] : [row.seq]];
  });
  followed(desk, rows);
  const key = make("p", "ek-note", "● answered  ■ refused  ▲ failed  ◆ paused  ◇ exhausted  ○ cancelled. ",
    "A thick line at the left: the way of the end.");
  return [...rows.map(([item]) => item), key];
}

function ladderNodes(desk) {
  const items = desk.scene.items ?? [];
  if (!items.length) return null;
  const rungs = make("ol", "ek-story"), end = make("p", "ek-line");
  async function load(item) {
    const answer = await desk.ask("ladder", { item });
    if (!answer) return;
    const rows = answer.rungs.map((rung) => [ladderRung(desk, rung), [rung.seq]]);
    rungs.replaceChildren(...rows.map(([row]) => row));
    followed(desk, rows);
    end.replaceChildren(make("span", "ek-name", `${answer.name}: ${answer.status}`),
      make("span", "ek-note", answer.reason ? ` ${answer.reason}` : "", answer.note ? ` … ${answer.note}` : ""));
  }
  load(items[0].item);
  const names = items.map((each) => [each.item, `${each.name}: ${each.status}`]);
  const pick = (value) => load(Number(value));
  const chosen = names.length > 1 ? chooser("Answer item", names, items[0].item, pick) : null;
  return [make("div", "ek-tools ek-start", chosen), end, rungs];
}

function ladderRung(desk, rung) {
  const round = Number.isInteger(rung.round) ? `round ${rung.round}` : "";
  const version = Number.isInteger(rung.version) ? `version ${rung.version}` : "";
  return make("li", "ek-line", goTo(desk, rung.seq, joined([rung.what, rung.status], " ")),
    make("span", "ek-note", ` ${joined([round, version])} `), make("span", "ek-text", rung.text));
}
