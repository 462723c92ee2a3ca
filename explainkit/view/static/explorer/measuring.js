// The run box: what is changed, who judges, the button, how far it is, Stop, and the word in the end.
function runBox(desk, changes, state) {
  const what = make("ul", "ek-list"), judge = make("p", "ek-judge"), card = make("div", "ek-answer ek-runbox");
  const calls = make("input", "ek-calls"), progress = make("progress", "ek-progress"), words = make("p", "ek-progress-words");
  const go = button("Run it again", () => start("try", { changes: changes.list }), { className: "ek-go" });
  const least = button("Search the smallest set", () => start("smallest", {}));
  const stop = button("Stop", async () => {
    const answer = await desk.ask("stop");
    if (answer) desk.say(answer.words);
  });
  let forgotten = null; // a refusal is about changes; without them it says nothing any more
  const undo = button("Undo the changes", () => changes.clear());
  calls.type = "number";
  calls.min = "1";
  calls.max = "100000";
  calls.value = "200";
  calls.setAttribute("aria-label", "Calls at most");
  progress.setAttribute("aria-label", "Calls used of those that are allowed");
  const reason = make("p", "ek-note");
  reason.id = uniqueName("reason");
  const tools = make("div", "ek-tools", go, least, stop, undo, make("label", "ek-note", "at most ", calls, " calls"));
  words.tabIndex = -1;
  card.append(make("span", "ek-label", "What if the run went"), what, judge, tools, reason, progress, words);

  async function start(ask, fields) {
    const at = desk.shown?.at ?? {};
    const { slot = "answer", version = null, start: from = null, end = null } = at;
    const number = Number(calls.value);
    await desk.ask(ask, { ...fields, slot, version: version || null, start: from, end,
      calls: Number.isInteger(number) ? number : 0 });
  }

  let turn = 0;
  async function told() {
    const mine = (turn += 1), list = changes.list;
    if (!list.length) return what.replaceChildren(make("li", "ek-soft", "as it did: nothing is changed yet"));
    const meant = await desk.ask("meant", { changes: list });
    if (mine === turn && meant) what.replaceChildren(...meant.said.map((line) => make("li", "", line)));
    return undefined;
  }

  function show() {
    const { offered } = state, tried = desk.tried ?? {}, running = tried.state === "running";
    const at = focusedNear(card);
    card.hidden = !offered?.kernel;
    const refused = Boolean(offered?.refusal);
    go.disabled = running || refused || !changes.list.length;
    least.disabled = running || refused;
    reason.hidden = !refused;
    reason.replaceChildren(refused ? `Nothing can be run again. ${offered.refusal}` : "");
    for (const each of [go, least]) {
      each.title = refused ? "Nothing can be run again; why stands below" : "";
      if (refused) each.setAttribute("aria-describedby", reason.id);
      else each.removeAttribute("aria-describedby");
    }
    undo.disabled = !changes.list.length;
    stop.hidden = !running;
    stop.disabled = Boolean(tried.stopping);
    progress.hidden = !running;
    progress.max = tried.budget || 1;
    progress.value = Math.min(tried.calls ?? 0, progress.max);
    words.hidden = !tried.state || tried === forgotten;
    words.classList.toggle("ek-failed", tried.state === "refused");
    const asked = (tried.said ?? []).join("; ");
    if ([go, least, stop].includes(at) && (at.disabled || at.hidden)) (running && !stop.disabled ? stop : words).focus();
    words.replaceChildren(...(tried.state ? [make("span", "ek-note", `${asked}: `), tried.words] : []));
    const selected = desk.shown?.at?.start === null || !desk.shown?.selected ? null : desk.shown.selected;
    judge.replaceChildren(selected
      ? `It flips when the answer does not say “${selected}” any more.`
      : offered?.judge ?? "");
  }
  changes.heard.push(() => {
    if (!changes.list.length && desk.tried?.state === "refused" && forgotten !== desk.tried) {
      forgotten = desk.tried;
      desk.say("Nothing is changed now.");
    }
    told();
    show();
  });
  desk.on("tried", show);
  told();
  return { nodes: [card], show };
}

/** Says the end of a measurement in the live region, and its beginning. */
function sayTried(desk) {
  let last = null;
  desk.on("tried", (tried) => {
    const now = tried.state ?? null;
    if (now !== last && now === "running") desk.say(`Running again: ${tried.said.join("; ")} …`);
    else if (now && now !== "running" && last === "running") {
      desk.say(now === "refused" ? tried.words : `What if, ${tried.said.join("; ")}: ${tried.words}`);
    }
    last = now;
  });
}
