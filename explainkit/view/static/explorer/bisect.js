// Bisection: one step is asked about, three buttons answer, and the first wrong step is lit in the end.
function bisectPanel(desk) {
  const host = make("div", "ek-bisect");
  const open = () => {
    if (!host.hasChildNodes()) bisectNodes(desk, host);
    return [host];
  };
  return { key: "bisect", title: "Bisect", size: () => (desk.scene.panels ?? []).includes("bisect"), of: open };
}

function bisectNodes(desk, host) {
  const words = make("p", "ek-bisect-words"), body = make("div"), tools = make("div", "ek-tools ek-start"), earlier = make("div");
  words.setAttribute("role", "heading");
  words.setAttribute("aria-level", "3");
  words.tabIndex = -1;

  async function ask(say = "") {
    const slot = desk.shown?.at?.slot ?? "answer";
    const told = await desk.ask("bisect", { slot, say });
    if (!told) return;
    show(told);
    if (!say) return;
    desk.say(told.words);
    const seq = told.step?.seq ?? told.candidates[0]?.[0];
    if (Number.isInteger(seq)) desk.go(seq);
    words.focus();
  }

  function show(told) {
    const asking = told.state === "asking", none = told.state === "none";
    words.replaceChildren(none ? "Is every step right? A few answers name the first one that is wrong." : told.words);
    words.classList.toggle("ek-failed", told.state === "over" && told.step !== null);
    const answers = asking ? [["Right", "right"], ["Wrong", "wrong"], ["Don't know", "dont_know"]] : [];
    if (told.suspect) answers.push(["Enough: presume the rest right", "enough"]);
    tools.replaceChildren(...answers.map(([label, say]) => button(label, () => ask(say))));
    if (told.passed) tools.append(button("It is wrong all the same", () => ask("anyway")));
    if (!told.refusal) tools.append(button(none ? "Begin" : "Begin anew", () => ask("begin")));
    body.replaceChildren(...stepNodes(desk, told));
    if (told.refusal) body.append(make("p", "ek-note", told.refusal));
  }

  const shown = () => {
    const steps = desk.found?.steps ?? [];
    earlier.replaceChildren(...(steps.length ? [make("h3", "ek-heading", "Found before"), ...steps.map((step) =>
      make("p", "ek-line", goTo(desk, step.link, step.words)))] : []));
  };
  desk.on("found", shown);
  shown();
  host.append(words, tools, body, earlier);
  ask();
}

function stepNodes(desk, told) {
  const nodes = [];
  if (told.suspect) nodes.push(make("p", "ek-note", "Suspect so far: ", goTo(desk, told.suspect.seq, told.suspect.title), ", if its inputs are right."));
  const { step } = told;
  if (step) {
    const given = step.given.map(([slot, pieces]) => make("div", "ek-card", make("div", "ek-label", `given ${slot}`), quote(pieces, "ek-text")));
    if (step.given_more) given.push(make("p", "ek-note", `… ${counted(step.given_more, "more input")}`));
    const gave = make("div", "ek-answer", make("div", "ek-label", step.error ? "raised" : "gave"),
      step.gave.length ? quote(step.gave, "ek-text") : make("i", "ek-note", "nothing"));
    if (told.state === "over") nodes.push(make("p", "ek-start", goTo(desk, step.seq, step.title)));
    nodes.push(make("div", "ek-sides", make("div", "", ...(given.length ? given : [make("p", "ek-note", "It was given nothing.")])), make("div", "", gave)));
  } else if (told.candidates.length) {
    nodes.push(make("ul", "ek-list", ...told.candidates.map(([seq, title]) => make("li", "", goTo(desk, seq, title)))));
  }
  return nodes;
}
