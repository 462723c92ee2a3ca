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
    : make("p", "ek-note", those[0] ? saidOf(those[0]) : "");
  const nodes = [which, make("p", "ek-name", found.headline), make("p", "ek-note", found.counts)];
  nodes.push(section("Answers", found.answers.map((each) => sidesOf(each.slot === "answer" ? "" : each.slot, each.sides))));
  const { parted } = found;
  if (parted) {
    nodes.push(section("Where they part", [make("p", "", goTo(desk, parted.seq, parted.name)),
      sidesOf("given", parted.given), sidesOf("gave", parted.gave)]));
  }
  nodes.push(section("Context that differs", found.contexts.map((each) => make("div", "ek-block-card",
    goTo(desk, each.seq, each.name), make("span", "ek-note", ` ${each.how}`), sidesOf("", each.sides)))));
  nodes.push(section("Overrides and verdicts of one run only", found.records.map((each) =>
    make("p", "ek-line", goTo(desk, each.seq, each.words), make("span", "ek-note", ` ${each.side}`)))));
  if (found.more) nodes.push(make("p", "ek-note", `… ${found.more.toLocaleString("en")} more not shown`));
  return nodes.filter(Boolean);
}

function sidesOf(title, [before, after]) {
  const side = (name, pieces) => make("div", "ek-side", make("div", "ek-label", joined([title, name], ", ")),
    diffBox(...(pieces.length ? pieceNodes(pieces) : [make("i", "ek-skipped", "nothing")])));
  return make("div", "ek-sides", side("recorded run", before), side("re-run", after));
}
