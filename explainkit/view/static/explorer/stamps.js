// Stamps: the word of a what-if with its numbers, on the panel and on the card of a suspect.
const STAMPED = { cause: "ek-is-cause", "not shown": "ek-is-open", inconclusive: "ek-is-open", "not applied": "ek-is-void", "over budget": "ek-is-void" };

/** Words of a button, and after them some that are only heard: rows have the same buttons, with names of their own. */
function named(words, heard) {
  const hidden = make("span", "", heard);
  hidden.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap";
  return make("span", "", words, hidden);
}

/** The word as a stamp, with what its numbers say; `rates` where no line beside it says how often. */
function stampOf(stamp, { rates = false } = {}) {
  const { word, line, low, high, p } = stamp;
  const percent = (rate) => Math.round(100 * rate);
  const range = !rates || p === null || low === null ? null : make("span", "ek-note", ` flips ${percent(low)} to ${percent(high)} % of the time (95 %)`);
  return make("span", "ek-stamp", make("b", `ek-stamp-word ${STAMPED[word] ?? "ek-is-open"}`, word), line.slice(word.length), range);
}

const saidOf = (stamp) => stamp.said.join("; ") + (stamp.more ? ` and ${counted(stamp.more, "more change")}` : "");

/** Every finding, the last one first; those of another answer say so. */
function stampList(desk) {
  const title = make("h3", "ek-heading", "Measured so far"), holder = make("div", "ek-stamps"), note = make("p", "ek-note");
  const show = () => {
    const { stamps = [], note: left = "" } = desk.found ?? {};
    title.hidden = !stamps.length;
    holder.replaceChildren(...stamps.map((stamp, index) => stampCard(desk, stamp, index === 0)));
    note.replaceChildren(left);
  };
  desk.on("found", show);
  show();
  return { nodes: [title, holder, note] };
}

function stampCard(desk, stamp, open) {
  const card = make("details", "ek-block-card ek-stamp-card");
  card.open = open;
  const which = joined([stamp.slot === "answer" ? "" : stamp.slot, stamp.version ? `version ${stamp.version}` : ""], " ");
  const lines = [...stamp.facts, which ? ["answer", which] : null].filter(Boolean);
  const tools = make("p", "ek-tools", ...[...new Set(stamp.targets)].slice(0, 4).map((seq) =>
    button(named(`Record ${seq}`, ` of finding ${stamp.seq}`), () => desk.go(seq))));
  card.append(make("summary", "", make("span", "ek-name", saidOf(stamp)), " ", stampOf(stamp)), linesOf(lines));
  if (stamp.after) {
    card.append(make("div", "ek-sides", changeSide("before", stamp.before), changeSide("after", stamp.after)));
    tools.append(button(named("Both runs side by side", ` for finding ${stamp.seq}`), () => desk.emit("compare", stamp.seq)));
  }
  card.append(tools);
  return card;
}

/** What was measured of a suspect for the answer that is shown, as its card has it. */
function suspectStamps(desk, seq) {
  const at = desk.shown?.at ?? {};
  const those = (desk.found?.stamps ?? []).filter((stamp) =>
    stamp.targets.includes(seq) && stamp.slot === at.slot && stamp.version === at.version);
  return those.slice(0, 3).map((stamp) =>
    make("p", "ek-suspect-stamp", stampOf(stamp, { rates: true }), " ", make("span", "ek-note", `${saidOf(stamp)}; judge: ${judgeOf(stamp)}`)));
}

const judgeOf = (stamp) => stamp.facts.find(([name]) => name === "judge")?.[1] ?? "";
