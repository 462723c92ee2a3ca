// What a record holds: lines, texts with marks and origins, the change of an override, neighbours.
function inspectorPanel(desk) {
  const panel = make("aside", "ek-inspector");
  panel.setAttribute("aria-label", "Inspector");
  panel.tabIndex = -1;
  let turn = 0;

  async function show() {
    const mine = (turn += 1), seq = desk.cursor;
    if (seq === null || seq === undefined) {
      panel.replaceChildren(make("p", "ek-note", "Pick a box, a hop or a record to read what it holds."));
      return;
    }
    let found;
    try {
      found = await desk.inspect(seq);
    } catch (error) {
      desk.say(error.message);
      return; // what is shown stays
    }
    if (mine !== turn) return;
    panel.replaceChildren(...content(desk, found));
    panel.scrollTop = 0;
  }

  desk.on("cursor", show);
  desk.on("shown", show);
  desk.on("chart", show); // what is folded is told, and may be opened
  return { panel, show };
}

function content(desk, found) {
  const index = desk.boxOf(found.seq), node = index >= 0 ? desk.chart.nodes[index] : null;
  const tools = make("p", "ek-tools");
  if (node && !node.members) tools.append(button("Light what fed this", () => desk.lightFrom(index)));
  const parts = [make("p", "ek-kicker", `${found.word} · ${recordOf(found.seq)}`), make("h3", "ek-title", found.label || found.word)];
  if (node?.members) {
    parts.push(make("p", "ek-note", `One of ${counted(node.members, "record")} folded into one box.`));
    tools.append(button("Open the fold", () => desk.openFold(index)));
  }
  const lines = [...found.lines];
  if (found.cell) {
    const number = found.cell.count === null ? "" : `In [${found.cell.count}]`;
    lines.push(["cell", joined([number, found.cell.hash], " ")]);
  }
  parts.push(linesOf(lines), tools, ...found.texts.flatMap((text) => textBlock(desk, found.seq, text)));
  parts.push(...neighbours(desk, "Goes back to", found.fed_by, found.fed_by_more));
  parts.push(...neighbours(desk, "Feeds", found.feeds, found.feeds_more));
  return parts;
}

function textBlock(desk, seq, text) {
  const title = make("h4", "ek-subheading", joined([text.title, counted(text.size, "character"), text.note], " · "));
  const block = reachable(make("pre", "ek-held"), title);
  const more = make("p", "ek-tools");
  const origins = (text.origins ?? []).map(([number, name, grade, from]) => ({ number, name, grade, seq: from }));
  if (text.pieces.length) block.append(...pieceNodes(text.pieces));
  else block.append(make("i", "ek-skipped", text.size ? "not shown" : text.note ? "no text" : "an empty text"));
  const following = (next) => {
    more.replaceChildren();
    if (next === null || next === undefined) laidOut(block, text, more);
    else more.append(button(next ? "Show more" : "Show it in full", async () => {
      const part = await desk.ask("text", { seq, slot: text.slot, start: next });
      if (!part) return;
      if (!next) block.replaceChildren();
      if (block.lastElementChild?.matches(".ek-skipped")) block.lastElementChild.remove();
      block.append(...pieceNodes(part.pieces.filter(([words]) => words)));
      following(part.next);
    }));
  };
  following(text.next);
  return [title, ...(origins.length ? originKey(origins, (from) => desk.go(from)) : []), block, more];
}

/** A text that is JSON can be read with its lines and indents. */
function laidOut(block, text, tools) {
  const words = block.textContent;
  if (text.origins?.length || text.pieces.some((piece) => piece[2]) || !/^\s*[[{]/.test(words)) return;
  let indented;
  try {
    indented = JSON.stringify(JSON.parse(words), null, 2);
  } catch {
    return;
  }
  if (indented === words) return;
  const nodes = [...block.childNodes];
  const turn = button("As indented JSON", () => {
    const on = turn.getAttribute("aria-pressed") !== "true";
    turn.setAttribute("aria-pressed", String(on));
    block.replaceChildren(...(on ? [indented] : nodes));
  });
  turn.setAttribute("aria-pressed", "false");
  tools.append(turn);
}

function neighbours(desk, title, rows, more = 0) {
  if (!rows?.length) return [];
  const items = rows.map((row) => {
    const times = row.count > 1 ? ` ${row.count.toLocaleString("en")} times` : null;
    const go = button("", () => desk.go(row.seq), { className: "ek-neighbour" });
    go.append(make("span", "ek-soft", `${row.word}: `), row.label || row.word);
    return make("li", "", go, ` ${row.role} `, badge(row.grade), make("span", "ek-note", ` ${recordOf(row.seq)}`), times);
  });
  const heading = make("h4", "ek-subheading", `${title} (${(rows.length + more).toLocaleString("en")})`);
  const parts = [heading, make("ul", "ek-neighbours", ...items)];
  if (more) parts.push(make("p", "ek-note", `… ${more.toLocaleString("en")} more not listed`));
  return parts;
}
