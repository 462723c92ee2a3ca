// Two runs: the recorded one beside the re-run of a what-if, with the records of the first to go to.
function besidePanel(desk) {
  const host = make("div", "ek-beside");
  let last = null;
  const panel = {
    key: "beside", title: "Two runs",
    size: () => (desk.found?.stamps ?? []).some((stamp) => stamp.after),
    of: () => {
      const newest = (desk.found?.stamps ?? []).find((stamp) => stamp.after)?.seq ?? null;
      if (last === null && newest !== null) panel.load(newest);
      return [host];
    },
    async load(seq) {
      last = seq;
      const found = await desk.ask("beside", { seq });
      if (found && last === seq) host.replaceChildren(...besideNodes(desk, found, seq, panel.load));
    },
  };
  return panel;
}

function besideNodes(desk, found, seq, load) {
  const those = (desk.found?.stamps ?? []).filter((stamp) => stamp.after);
  const which = those.length > 1
    ? make("div", "ek-tools ek-start", chooser("Which what-if", those.map((stamp) => [stamp.seq, saidOf(stamp)]), seq, (value) => load(Number(value))))
    : null;
  const changed = new Map((found.changed ?? []).map((each) => [each.seq, each]));
  const nodes = [which, make("p", "ek-name", found.headline), make("p", "ek-note", found.counts), ranWords(found.ran)];
  nodes.push(section("Changed by you", [...changed.values()].map((each) => make("div", "ek-block-card",
    goTo(desk, each.seq, each.said), each.sides ? sidesOf("", each.sides, true) : null))));
  nodes.push(section("Answers", found.answers.map((each) => sidesOf(each.slot === "answer" ? "" : each.slot, each.sides))));
  const { parted } = found;
  if (parted) {
    nodes.push(section("Where they part", [make("p", "", goTo(desk, parted.seq, parted.name)),
      sidesOf("given", parted.given), sidesOf("gave", parted.gave, changed.has(parted.seq))]));
  }
  const others = found.contexts.filter((each) => !changed.get(each.seq)?.sides);
  nodes.push(section("Other context that differs", others.map((each) => make("div", "ek-block-card",
    goTo(desk, each.seq, each.name), make("span", "ek-note", ` ${each.how}`), sidesOf("", each.sides, changed.has(each.seq))))));
  nodes.push(section("What else differs", found.fields.map((each) => sidesOf(each.name, each.sides))));
  nodes.push(section("Overrides and verdicts of one run only", found.records.map((each) =>
    make("p", "ek-line", goTo(desk, each.seq, each.words), make("span", "ek-note", ` ${each.side}`)))));
  if (found.more) nodes.push(make("p", "ek-note", `… ${found.more.toLocaleString("en")} more not shown`));
  return nodes.filter(Boolean);
}

/** How much of the re-run was run, and how much was taken from the record. */
function ranWords(ran) {
  if (!ran) return null;
  const reused = counted(ran.reused, "link was reused: its recorded result was handed out", "links were reused: their recorded results were handed out");
  return make("p", "ek-note", `In this re-run ${counted(ran.again, "link ran again", "links ran again")}; ${reused}.`);
}

/** Both sides of a piece; the second one says so where the reader changed it. */
function sidesOf(title, [before, after], changed = false) {
  const side = (name, pieces, mark) => changeSide(joined([title, name], ", "), pieces, { mark });
  const mark = changed ? make("b", "ek-yours", "changed by you") : null;
  return make("div", "ek-sides", side("recorded run", before, null), side("re-run", after, mark));
}
