// Makes the drawn graph walkable. Recorded words reach the page as text nodes only.
const data = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
const $ = (selector) => document.querySelector(selector);
const graph = $(".ek-graph"), pane = $(".ek-pane"), svg = $(".ek-svg");
const outline = $(".ek-outline"), inspector = $(".ek-inspector"), live = $(".ek-live");
const boxes = [...svg.querySelectorAll(".ek-node")];
const arrows = [];
for (const group of svg.querySelectorAll("[data-edge]")) arrows[Number(group.dataset.edge)] = group;
const into = data.nodes.map(() => []), out = data.nodes.map(() => []);
data.edges.forEach(([source, target], number) => { into[target].push(number); out[source].push(number); });

let selected = -1;
const history = [];
const walked = { boxes: data.nodes.map((node) => node.lit), arrows: data.edges.map((edge) => edge[4]) };

// ---- small builders -------------------------------------------------------
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
function button(text, act, label) {
  const element = make("button", "", text);
  element.type = "button";
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", act);
  return element;
}
const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many ?? one + "s"}`;
const nameOf = (node) => `${node.word}: ${node.label}`;

// ---- inspector ------------------------------------------------------------
const MARKS = { span: "mark", missing: "u", added: "ins", removed: "del" };
function piecesInto(host, pieces) {
  let holder = null, origin = 0;
  for (const [text, mark, skipped, from = 0] of pieces) {
    if (skipped) host.append(make("i", "ek-skipped", ` … ${count(skipped, "more character")} … `));
    if (!holder || from !== origin || !from) {
      holder = from ? make("span", `ek-tint${(from - 1) % 5}`) : document.createDocumentFragment();
      if (from) holder.append(make("sup", "", String(from)));
      origin = from;
      if (text) holder.append(mark ? make(MARKS[mark], `ek-${mark}`, text) : text);
      host.append(holder);
      if (!from) holder = null;
      continue;
    }
    holder.append(mark ? make(MARKS[mark], `ek-${mark}`, text) : text);
  }
}
function textBlock(text) {
  const size = `${text.title} · ${count(text.size, "character")}${text.note ? " · " + text.note : ""}`;
  const parts = [make("h4", "", size)];
  if (text.origins?.length) {
    const legend = make("div", "ek-label"), rest = make("div", "ek-label");
    text.origins.forEach(([number, name, grade], index) => {
      const host = index < 8 ? legend : rest;
      host.append(make("span", `ek-tint${(number - 1) % 5}`, `${number} ${name}`), ` ${grade}  `);
    });
    parts.push(legend);
    if (text.origins.length > 8) {
      const more = make("details", "ek-more");
      more.append(make("summary", "ek-note", count(text.origins.length - 8, "more origin")), rest);
      parts.push(more);
    }
  }
  const block = make("pre");
  block.tabIndex = 0;
  if (text.pieces.length) piecesInto(block, text.pieces);
  else block.append(make("i", "ek-skipped", text.note ? "not shown" : "an empty text"));
  parts.push(block);
  return parts;
}
function neighbours(title, numbers, end) {
  if (!numbers.length) return [];
  const list = make("ul");
  for (const number of numbers.slice(0, 60)) {
    const edge = data.edges[number], at = edge[end];
    const item = make("li");
    item.append(button(nameOf(data.nodes[at]), () => select(at)));
    item.append(` ${edge[2]}, `, make("span", `ek-${edge[3]}`, edge[3]));
    if (edge[5] > 1) item.append(` ${edge[5].toLocaleString("en")} times`);
    list.append(item);
  }
  const parts = [make("h4", "", `${title} (${numbers.length.toLocaleString("en")})`), list];
  if (numbers.length > 60) parts.push(make("p", "ek-note", `… ${numbers.length - 60} more not listed`));
  return parts;
}
function inspect(index) {
  const node = data.nodes[index];
  const lines = make("dl");
  for (const [name, value] of node.lines) lines.append(make("dt", "", name), make("dd", "", value));
  const back = button("Walk back from here", () => light(index));
  const rest = button("Show the walked path", unlight);
  const tools = make("p", "ek-tools");
  tools.append(back, rest);
  inspector.replaceChildren(
    make("p", "ek-kicker", node.word), make("h3", "", node.label || node.word), lines, tools,
    ...node.texts.flatMap(textBlock),
    ...neighbours("Goes back to", into[index], 0), ...neighbours("Feeds", out[index], 1),
  );
  inspector.scrollTop = 0;
}

// ---- selection and lit paths ----------------------------------------------
function select(index, { remember = true, focus = true, scroll = true } = {}) {
  if (index < 0 || index >= boxes.length) return;
  if (remember && selected >= 0 && selected !== index) history.push(selected);
  if (selected >= 0) {
    boxes[selected].classList.remove("ek-selected");
    boxes[selected].tabIndex = -1;
    boxes[selected].removeAttribute("aria-current");
    entries[selected]?.removeAttribute("aria-current");
  }
  selected = index;
  boxes[index].classList.add("ek-selected");
  boxes[index].tabIndex = 0;
  boxes[index].setAttribute("aria-current", "true");
  entries[index]?.setAttribute("aria-current", "true");
  if (entries[index]) reveal(list, entries[index]);
  inspect(index);
  if (scroll) reveal(pane, boxes[index]);
  if (focus) boxes[index].focus({ preventScroll: true });
  const node = data.nodes[index];
  live.textContent = `${nameOf(node)}. Goes back to ${count(into[index].length, "record")}, feeds ${out[index].length}.`;
}
function reveal(host, element) {
  const outer = host.getBoundingClientRect(), inner = element.getBoundingClientRect();
  const away = (low, high, from, to) => (low >= from + 30 && high <= to - 30 ? 0 : (low + high) / 2 - (from + to) / 2);
  host.scrollBy(away(inner.left, inner.right, outer.left, outer.right), away(inner.top, inner.bottom, outer.top, outer.bottom));
}
function paint(litBoxes, litArrows) {
  boxes.forEach((box, index) => box.classList.toggle("ek-lit", Boolean(litBoxes[index])));
  arrows.forEach((group, number) => {
    const path = group.querySelector(".ek-edge"), lit = Boolean(litArrows[number]);
    if (!path) return;
    path.classList.toggle("ek-lit", lit);
    path.setAttribute("marker-end", `url(#ek-arrow${lit ? "-lit" : ""})`);
  });
  svg.classList.toggle("ek-has-path", litBoxes.some(Boolean));
}
function light(index) {
  const litBoxes = data.nodes.map(() => false), litArrows = data.edges.map(() => false);
  const queue = [index];
  litBoxes[index] = true;
  let found = 0;
  for (const at of queue) {
    for (const number of into[at]) {
      const [source, , , grade] = data.edges[number];
      if (grade !== "declared" && grade !== "value") continue;
      litArrows[number] = true;
      if (!litBoxes[source]) { litBoxes[source] = true; found += 1; queue.push(source); }
    }
  }
  paint(litBoxes, litArrows);
  live.textContent = `${count(found, "record")} feed ${nameOf(data.nodes[index])} by declared or value evidence.`;
}
function unlight() {
  paint(walked.boxes, walked.arrows);
  live.textContent = "The walked path is lit again.";
}

// ---- outline and search ----------------------------------------------------
const search = make("input", "ek-search");
search.type = "search";
search.placeholder = "Search records  ( / )";
search.setAttribute("aria-label", "Search records");
const total = make("p", "ek-count");
const list = make("ol");
const entries = data.nodes.map((node, index) => {
  const item = make("li"), entry = button("", () => select(index));
  entry.append(make("span", "ek-kindword", node.word), node.label || "–");
  if (node.lit) entry.classList.add("ek-on");
  item.append(entry);
  list.append(item);
  return entry;
});
const haystack = data.nodes.map((node) =>
  [node.word, node.label, ...node.lines.flat(), ...node.texts.flatMap((text) => text.pieces.map((piece) => piece[0]))]
    .join("\n").toLowerCase());
function filter() {
  const words = search.value.toLowerCase().trim();
  let shown = 0;
  entries.forEach((entry, index) => {
    const fits = !words || haystack[index].includes(words);
    entry.parentElement.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  total.textContent = words ? `${count(shown, "box", "boxes")} of ${data.nodes.length}` : count(data.nodes.length, "box", "boxes");
}
search.addEventListener("input", filter);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") entries.find((entry) => !entry.parentElement.hidden)?.click();
  if (event.key === "Escape") { search.value = ""; filter(); boxes[Math.max(selected, 0)]?.focus(); event.stopPropagation(); }
});
outline.append(search, total, list);

// ---- keys -------------------------------------------------------------------
const centre = boxes.map((box) => {
  const [x, y] = box.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  return { x, y };
});
function along(numbers, end) {
  const best = [...numbers].sort((a, b) => Number(data.edges[b][4]) - Number(data.edges[a][4]));
  if (best.length) select(data.edges[best[0]][end]);
  else live.textContent = end === 0 ? "Nothing earlier is known to feed this." : "Nothing later is known to use this.";
}
function beside(direction) {
  const here = centre[selected];
  let best = -1;
  centre.forEach((place, index) => {
    if (Math.abs(place.y - here.y) > 8 || (place.x - here.x) * direction <= 1) return;
    if (best < 0 || Math.abs(place.x - here.x) < Math.abs(centre[best].x - here.x)) best = index;
  });
  if (best >= 0) select(best);
  else live.textContent = "No box on that side.";
}
const KEYS = {
  ArrowUp: () => along(into[selected], 0),
  ArrowDown: () => along(out[selected], 1),
  ArrowLeft: () => beside(-1),
  ArrowRight: () => beside(1),
  Enter: () => light(selected),
  " ": () => inspector.focus(),
  Home: () => select(data.start),
};
svg.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || selected < 0 || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && !typing) {
    unlight();
    if (history.length) select(history.pop(), { remember: false });
  }
});

// ---- zoom --------------------------------------------------------------------
const [, , naturalWidth, naturalHeight] = svg.getAttribute("viewBox").split(" ").map(Number);
let scale = 1;
function zoom(next) {
  scale = Math.min(2, Math.max(0.15, next));
  svg.setAttribute("width", String(naturalWidth * scale));
  svg.setAttribute("height", String(naturalHeight * scale));
  if (selected >= 0) reveal(pane, boxes[selected]);
}
const fitting = () => Math.min(1, (pane.clientWidth - 26) / naturalWidth);
const tools = make("div", "ek-tools");
tools.append(
  make("span", "ek-note", "arrows walk, Enter walks back, Esc returns, / searches"),
  button("−", () => zoom(scale / 1.25), "Zoom out"),
  button("Fit", () => zoom(fitting()), "Fit the graph to its pane"),
  button("+", () => zoom(scale * 1.25), "Zoom in"),
);
$(".ek-graph-head").append(tools);

// ---- start --------------------------------------------------------------------
outline.hidden = false;
inspector.hidden = false;
graph.classList.add("ek-live-graph");
svg.setAttribute("role", "group");
svg.setAttribute("aria-label", "Graph of the run");
boxes.forEach((box, index) => {
  box.setAttribute("role", "button");
  box.tabIndex = -1;
  box.addEventListener("click", () => select(index));
});
for (const hop of document.querySelectorAll(".ek-hop[data-seq]")) {
  const index = data.records[hop.dataset.seq];
  if (index === undefined) continue;
  hop.tabIndex = 0;
  const open = () => { select(index, { focus: false }); graph.scrollIntoView({ block: "nearest" }); };
  hop.addEventListener("click", () => { if (!String(getSelection())) open(); });
  hop.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
}
filter();
if (boxes.length) {
  zoom(Math.max(0.75, fitting()));
  select(data.start, { remember: false, focus: false });
  live.textContent = "";
}
