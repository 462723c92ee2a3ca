// The top of the board: the finding, the question, the answer, the trail, what the model saw, suspects.
function headPanel(desk) {
  const kicker = make("p", "ek-kicker"), headline = make("p", "ek-headline"), question = make("div", "ek-card");
  headline.setAttribute("role", "heading");
  headline.setAttribute("aria-level", "2");
  const ended = make("div", "ek-card ek-ended");
  return {
    nodes: [kicker, headline, ended, question],
    show(shown) {
      kicker.replaceChildren(...between(["explainkit explorer", shown.name, shown.status].filter(Boolean), " · "));
      headline.replaceChildren(...parted(shown.headline ?? ""));
      question.hidden = !shown.question;
      if (shown.question) question.replaceChildren(make("span", "ek-label", "Question"), " ", quote(shown.question, "ek-text"));
      ended.hidden = !shown.ended;
      if (shown.ended) ended.replaceChildren(...endWords(desk, shown.ended));
    },
  };
}

const between = (words, sign) => words.flatMap((each, index) => (index ? [sign, each] : [each]));

function endWords(desk, ended) {
  const title = Number.isInteger(ended.seq)
    ? button(ended.title, () => desk.go(ended.seq), { className: "ek-plain ek-name" })
    : make("span", "ek-name", ended.title);
  const lines = [["said", ended.message], ["where", ended.where], ["the way there", ended.path],
    ["handed on", ended.carried], ...(ended.branches ?? []).map((line) => ["made of", line]), ["what to do", ended.todo]];
  return [title, linesOf(lines.filter(([, words]) => words))];
}

/** Names and words in two columns. */
function linesOf(lines) {
  const list = make("dl", "ek-lines");
  for (const [name, words] of lines) list.append(make("dt", "", name), make("dd", "", words));
  return list;
}

function answerPanel(desk) {
  const card = make("div", "ek-answer");
  const label = make("span"), versions = make("div", "ek-versions"), grades = make("span");
  const head = make("div", "ek-answer-head", make("span", "ek-label", label), versions);
  const strip = answerStrip(desk), verdicts = make("div");
  const whole = button("Whole answer", () => desk.walk({ start: null, end: null }));
  const hint = make("span", "ek-note", "Select words to walk back from them.");
  const picked = button("Walk back from the selection", strip.walk); // for touch, which has no key and no release
  picked.hidden = true;
  strip.onSelected((any) => { picked.hidden = !any; });
  picked.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays
  const tools = make("div", "ek-tools", hint, picked, whole, grades);
  card.append(head, ...strip.nodes, verdicts, tools);
  return {
    nodes: [card],
    close: strip.close,
    show(shown) {
      label.replaceChildren(`${shown.start ?? "Answer"}: `, make("span", "ek-soft", shown.answer_note ?? ""));
      strip.show(shown);
      verdicts.replaceChildren(...verdictLines(desk, shown.verdicts ?? [], shown.judged_steps ?? []));
      tools.hidden = !(shown.strip ?? []).length;
      versions.replaceChildren(...versionChooser(desk, shown));
      const at = shown.at?.grade ?? "value";
      grades.replaceChildren(desk.host.exact
        ? chooser("Weakest evidence of the walk", GRADES.map((grade) => [grade, `down to ${grade}`]), at, (grade) => desk.walk({ grade }))
        : make("span", "ek-note", `Evidence down to ${at}, as this page was prepared; with a kernel, run.explore() walks by other grades.`));
    },
  };
}

function versionChooser(desk, shown) {
  const answers = desk.scene.answers ?? [];
  if (answers.length < 2) return [];
  const chosen = answers.findIndex((each) => shown.at && each.slot === shown.at.slot && each.version === shown.at.version);
  return [chooser("Version of the answer", answers.map((each, index) => [index, each.label]), chosen, (index) => {
    const { slot, version } = answers[Number(index)];
    desk.walk({ slot, version, start: null, end: null });
  })];
}

function verdictLines(desk, verdicts, onSteps) {
  const below = onSteps.map((judged) => stepVerdicts(desk, judged));
  if (!verdicts.length) return [make("p", "ek-note", below.length ? "No verdict on the answer." : "No verdict recorded."), ...below];
  const standing = [...verdicts.filter((each) => !each.stale), ...verdicts.filter((each) => each.stale)];
  const rows = standing.slice(0, 4).map((verdict) => {
    const state = verdict.stale ? "ek-soft" : verdict.failed ? "ek-failed" : "ek-name";
    const words = button(verdict.words, () => desk.go(verdict.seq), { className: `ek-plain ${state}` });
    return make("p", "ek-verdict", "Verdict: ", words, verdict.reason ? make("span", "ek-note", " ", verdict.reason) : null);
  });
  const left = standing.length - rows.length;
  if (left > 0) rows.push(make("p", "ek-note", `… ${counted(left, "more verdict")} below, under Verdicts`));
  return [...rows, ...below];
}

/** What one judge said of several steps: one line, and each of them when it is opened. */
function stepVerdicts(desk, judged) {
  const fold = make("details", "ek-more"), more = judged.more ? `… ${counted(judged.more, "more verdict")} not shown` : "";
  fold.append(make("summary", "ek-note", "Verdicts on steps: ", judged.words),
    ...judged.verdicts.map((each) => verdictCard(desk, each)), more ? make("p", "ek-note", more) : "");
  return fold;
}

function trailPanel(desk) {
  const column = make("section", "ek-column"), title = make("h3", "ek-heading");
  const list = make("ol", "ek-trail"), more = make("p", "ek-note");
  const few = make("details", "ek-more");
  column.append(title, list, few, more);
  let hops = [];
  const mark = () => hops.forEach(([item, seq]) => current(item, desk.isHere(seq)));
  desk.on("cursor", mark);
  return {
    nodes: [column],
    show(shown) {
      title.replaceChildren(`The trail, from the ${(shown.start ?? "Answer") === "Answer" ? "answer" : "end"} back`);
      hops = (shown.trail ?? []).map((step) => [hop(desk, step), step.seq]);
      list.replaceChildren(...hops.map(([item]) => item));
      const small = (shown.trail_small ?? []).map((step) => [hop(desk, step), step.seq]);
      few.hidden = !small.length;
      few.replaceChildren(...(small.length ? [make("summary", "ek-note", smallWords(shown.trail_small)), make("ol", "ek-hops", ...small.map(([item]) => item))] : []));
      hops.push(...small);
      const folded = shown.trail_folded ?? 0;
      const none = shown.strip?.length ? "No way back is known for these words." : "There are no words to walk back from.";
      const left = folded ? `${counted(folded, "more hop")}: in .hops and .to_frame().` : "";
      more.replaceChildren(hops.length ? left : none);
      mark();
    },
  };
}

/** The hops of a word or two in one line, with the words. */
function smallWords(steps) {
  const said = [...new Set(steps.map((step) => step.quote.map(([text]) => text).join("").trim()).filter(Boolean))];
  const left = said.length > 4 ? ` and ${said.length - 4} more` : "";
  return `${counted(sum(steps.map((step) => step.count)), "hop")} of a word or two: ${joined(said.slice(0, 4).map((each) => `“${each}”`))}${left}`;
}

function hop(desk, step) {
  const way = button("", () => desk.go(step.seq), { className: "ek-plain ek-way" });
  way.append(make("span", "ek-verb", step.verb), " ", make("span", "ek-held-name", step.held), " ← ", make("span", "ek-name", step.source),
    " ", make("span", "ek-note ek-together", recordOf(step.record ?? step.seq)));
  const places = step.count > 1 ? ` at ${step.count.toLocaleString("en")} places` : null;
  const item = make("li", "ek-hop", way, " ", badge(step.grade), places);
  if (step.quote?.length) item.append(" ", quote(step.quote));
  if (step.note) item.append(make("span", "ek-note", " ", step.note));
  return item;
}

/** Whether an element stands for the record under the cursor. */
function current(element, yes) {
  if (yes) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

function promptPanel(desk) {
  const column = make("section", "ek-column");
  return {
    nodes: [column],
    show(shown) {
      const pane = shown.prompt;
      column.hidden = !pane;
      if (!pane) return;
      const pieces = pane.segments.flatMap(({ origin, passage }) => passage.map(([text, mark, left, , behind]) => [text, mark, left, origin, behind]));
      const text = make("pre", "ek-prompt", ...pieceNodes(pieces));
      text.tabIndex = 0;
      text.setAttribute("role", "region");
      text.setAttribute("aria-label", "What the model saw");
      const left = `${counted(pane.folded_size, "more character")} in ${counted(pane.folded, "further segment")}`;
      if (pane.folded) text.append(make("i", "ek-skipped", ` … ${left}`));
      const name = button(pane.name, () => desk.go(pane.link), { className: "ek-plain ek-name" });
      column.replaceChildren(
        make("h3", "ek-heading", "What the model saw in ", name), ...originKey(pane.origins, (seq) => desk.go(seq)), text,
        make("p", "ek-note", pane.carried ? "" : "The walked words are not in this prompt."));
      const first = text.querySelector("mark");
      if (first) text.scrollTop = Math.max(0, first.offsetTop - text.offsetTop - 90);
    },
  };
}

/** Suspects; `tryIt` opens what can be tried of one, and the panel itself when given nothing. */
function suspectPanel(desk, tryIt) {
  const panel = make("section", "ek-section"), why = make("p", "ek-note ek-tries-why");
  let cards = [], turn = 0;
  desk.on("found", () => { for (const card of cards) card.stamp(); });

  /** Asked for when the board stands, because nobody presses a button that early. */
  async function offer() {
    const mine = (turn += 1);
    const offered = cards.length ? await desk.ask("tries", { slot: desk.shown?.at?.slot ?? "answer" }) : null;
    if (mine !== turn || !offered) return;
    why.replaceChildren(...whyNot(offered, tryIt));
    const bySeq = new Map(offered.cards.map((each) => [each.seq, each]));
    for (const card of cards) card.offer(bySeq.get(card.seq));
  }

  return {
    nodes: [panel],
    show(shown) {
      cards = (shown.suspects ?? []).map((card) => suspect(desk, card, tryIt));
      const folded = shown.folded?.suspects ?? 0;
      panel.hidden = !cards.length;
      why.replaceChildren();
      panel.replaceChildren(
        make("h3", "ek-heading", "Suspects; a rank is a rank, not a probability"), why, make("div", "ek-row", ...cards.map((each) => each.node)),
        make("p", "ek-note", folded ? `${counted(folded, "more suspect")}: .shortlist(k)` : ""));
      setTimeout(offer);
    },
  };
}

/** Why nothing can be tried at all; what is needed stands in full on the panel below. */
function whyNot({ kernel, refusal }, tryIt) {
  if (!refusal) return [];
  if (!kernel) return [refusal];
  const [line] = refusal.split("\n"), end = line.endsWith(":") ? line.lastIndexOf(". ") : -1;
  const first = end > 0 ? line.slice(0, end + 1) : line; // what a code block follows stands below
  return [`None of them can be tried: ${first} `, button("What is needed", () => tryIt(null))];
}

function suspect(desk, card, tryIt) {
  const tied = card.tied > 1 ? `, tied with ${counted(card.tied - 1, "other")}` : "";
  const reasons = card.reasons.map(([words, places]) => make("li", "", words, ...places.flatMap(([place, pieces]) =>
    [" ", make("span", "ek-note", place), " ", pieces.length ? quote(pieces) : null])));
  const stamps = make("div", "ek-suspect-stamps"), stamp = () => stamps.replaceChildren(...suspectStamps(desk, card.seq));
  const tools = make("div", "ek-tools");
  stamp();
  const node = make("div", "ek-suspect", make("div", "ek-label", `Rank ${card.rank}${tied} · ${recordOf(card.seq)}`),
    button(card.name, () => desk.go(card.seq), { className: "ek-plain ek-name" }), stamps, make("ul", "ek-list", ...reasons), tools);
  const offer = (offered) => {
    const buttons = (offered?.tries ?? []).map((each) => button(each.words, () => tryIt(each)));
    const none = offered && !buttons.length ? [make("span", "ek-note", `Nothing of it can be tried: ${offered.why}`)] : [];
    tools.replaceChildren(...buttons, ...none);
  };
  return { node, seq: card.seq, stamp, offer };
}
