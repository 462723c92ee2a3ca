// The pane around the drawing: pan by drag and scrollbars, zoom by buttons and keys, walk by arrows.
const READABLE = 0.66; // scale below which a chart opens cut off rather than smaller
function graphPanel(desk, { toInspector }) {
  const notes = make("p", "ek-note"), switches = make("span", "ek-switch");
  const pane = make("div", "ek-pane");
  const hint = make("span", "ek-note ek-hint", "arrows walk, Enter lights what fed a box, Esc returns, / searches");
  const again = button("Fold again", () => desk.ask("chart", { opened: [], only: desk.chart.only ?? "run" }),
    { label: "Fold again what was opened" });
  const tools = make("div", "ek-tools", again, switches,
    button("−", () => scaled(scale / 1.25), { label: "Zoom out" }),
    button("Fit", () => scaled(fitting(), true), { label: "Fit the graph to its pane" }),
    button("+", () => scaled(scale * 1.25), { label: "Zoom in" }));
  const head = make("div", "ek-graph-head", make("h3", "ek-heading", "The run as a graph"), notes, hint, tools);
  let drawing = null, scale = 1, width = 0; // the width that the scale was told for; -1 when a reader chose it

  const fitting = () => Math.min(1, Math.max(0.15, (pane.clientWidth - 26) / (drawing?.width ?? 1)));
  function zoom(next, keep = false) {
    scale = Math.min(2, Math.max(0.15, next));
    drawing?.zoom(scale);
    if (!keep && drawing?.selected >= 0) bring(drawing.selected);
  }

  function scaled(next, keep) {
    width = -1;
    zoom(next, keep);
  }

  function build() {
    const chart = desk.chart;
    if (!chart?.nodes) {
      pane.replaceChildren(make("p", "ek-note", "The graph is not laid out yet."));
      return;
    }
    const focused = drawing?.svg.contains(focusedNear(pane));
    drawing = new Drawing(chart);
    pane.replaceChildren(drawing.svg);
    const drawn = [counted(chart.nodes.length, "box", "boxes"), counted(chart.arrows.length, "arrow")];
    notes.replaceChildren([...drawn, `placed by ${chart.engine}`, ...(chart.notes ?? [])].join(" · "));
    if (!chart.nodes.length) pane.replaceChildren(make("p", "ek-note", "This run has nothing to draw."));
    switches.replaceChildren(...["run", "path"].map((only) => {
      const words = only === "run" ? "Run" : "Path";
      const chosen = button(words, () => desk.ask("chart", { opened: chart.opened ?? [], only }),
        { label: only === "run" ? "Draw the whole run" : "Draw the walked path only" });
      chosen.setAttribute("aria-pressed", String((chart.only ?? "run") === only));
      return chosen;
    }));
    again.hidden = !chart.opened?.length;
    drawing.light(desk.lit());
    width = 0;
    open();
    place(focused);
  }

  /** The first scale of a chart can be told once the pane has a width, and again with another one. */
  function open() {
    const now = pane.clientWidth;
    if (!drawing || !now || width < 0 || Math.abs(now - width) < 40) return;
    width = now;
    zoom(Math.max(READABLE, fitting()));
    pane.parentElement?.style.setProperty("--graph-height", `${Math.round(drawing.height * scale) + 60}px`);
  }

  function place(focus) {
    if (!drawing) return;
    const index = desk.cursor === null ? -1 : desk.boxOf(desk.cursor);
    drawing.select(index);
    const box = drawing.boxes[index];
    if (!box) return;
    bring(index);
    if (focus) box.focus({ preventScroll: true });
  }

  /** Scrolls to a box; one of the path with all of the path beside it, where the pane is wide enough. */
  function bring(index) {
    reveal(pane, drawing.boxes[index]);
    if (!drawing.litBoxes.has(index)) return;
    const places = [...drawing.litBoxes].map((each) => drawing.chart.nodes[each].x);
    const [left, right] = [Math.min(...places) - W, Math.max(...places) + W];
    if ((right - left) * scale > pane.clientWidth - 24) return;
    const drawn = drawing.svg.getBoundingClientRect().left - pane.getBoundingClientRect().left;
    pane.scrollBy(drawn + ((left + right) / 2 + SIDE) * scale - pane.clientWidth / 2, 0);
  }

  async function pick(index) {
    const node = drawing.chart.nodes[index];
    if (node.members) {
      await desk.go(node.seq);
      await desk.openFold(index);
    } else {
      await desk.go(node.seq);
    }
  }

  const indexOf = (target) => drawing?.boxes.indexOf(target.closest?.(".ek-node")) ?? -1;
  pane.addEventListener("click", (event) => {
    const index = indexOf(event.target);
    if (index >= 0 && !dragged) pick(index);
  });

  // ---- keys -------------------------------------------------------------------------------------
  function along(end, other, none) {
    const here = drawing.selected, lit = drawing.litArrows;
    let best = null, rank = Infinity;
    drawing.chart.arrows.forEach((arrow, index) => {
      if (arrow[end] !== here) return;
      const value = (lit.has(index) ? 0 : 10) + GRADES.indexOf(arrow.grade);
      if (value < rank) [best, rank] = [arrow, value];
    });
    if (best) return step(best[other]);
    return desk.say(none);
  }
  function beside(direction) {
    const nodes = drawing.chart.nodes, here = nodes[drawing.selected];
    let best = -1;
    nodes.forEach((node, index) => {
      if (Math.abs(node.y - here.y) > 8 || (node.x - here.x) * direction <= 1) return;
      if (best < 0 || Math.abs(node.x - here.x) < Math.abs(nodes[best].x - here.x)) best = index;
    });
    return best >= 0 ? step(best) : desk.say("No box on that side.");
  }
  const step = (index) => desk.go(drawing.chart.nodes[index].seq);
  const keys = {
    ArrowUp: () => along("target", "source", "Nothing earlier is known to feed this."),
    ArrowDown: () => along("source", "target", "Nothing later is known to use this."),
    ArrowLeft: () => beside(-1),
    ArrowRight: () => beside(1),
    Enter() {
      const at = drawing.selected, fold = drawing.chart.nodes[at].members;
      return fold ? desk.openFold(at) : desk.lightFrom(at);
    },
    " ": toInspector,
    Home: () => desk.home(),
    "+": () => scaled(scale * 1.25),
    "=": () => scaled(scale * 1.25),
    "-": () => scaled(scale / 1.25),
    0: () => scaled(fitting(), true),
  };
  pane.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    const focused = indexOf(event.target);
    if (focused >= 0 && drawing.selected < 0) drawing.select(focused);
    if (!drawing || drawing.selected < 0) return;
    event.preventDefault();
    keys[event.key]();
  });

  // ---- pan; the bare wheel belongs to the notebook ------------------------------------------------
  let from = null, dragged = false;
  pane.addEventListener("pointerdown", (event) => {
    dragged = false;
    const box = pane.getBoundingClientRect();
    const scrollbar = event.clientX - box.left > pane.clientWidth || event.clientY - box.top > pane.clientHeight;
    if (event.button !== 0 || scrollbar) return;
    from = { x: event.clientX, y: event.clientY, left: pane.scrollLeft, top: pane.scrollTop };
  });
  pane.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!dragged && Math.hypot(x, y) < 5) return;
    if (!dragged) pane.setPointerCapture(event.pointerId);
    dragged = true;
    pane.classList.add("ek-dragging");
    pane.scrollTo(from.left - x, from.top - y);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    pane.addEventListener(end, () => { from = null; pane.classList.remove("ek-dragging"); });
  }
  pane.addEventListener("wheel", (event) => {
    if (event.shiftKey || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    scrollOutside(pane, event.deltaY * (event.deltaMode === 1 ? 20 : 1));
  }, { passive: false });

  const focusedInside = () => Boolean(drawing?.svg.contains(focusedNear(pane)));
  desk.on("chart", build);
  desk.on("lit", () => drawing?.light(desk.lit()));
  desk.on("shown", () => {
    const [first] = desk.lit().origins;
    if (drawing && first !== undefined) bring(first);
  });
  desk.on("cursor", () => {
    const inside = focusedInside();
    place(inside);
    if (!drawing || drawing.selected >= 0 || desk.cursor === null) return;
    desk.say("The graph as drawn has no box for this record; “Run” draws the whole run.");
  });
  return { head, pane, build, resized: open };
}

/** Scrolls a pane so that an element in it can be seen; what is around the pane stays. */
function reveal(host, element) {
  const outer = host.getBoundingClientRect(), inner = element.getBoundingClientRect();
  const away = (low, high, from, to) => (low >= from + 30 && high <= to - 30 ? 0 : (low + high) / 2 - (from + to) / 2);
  host.scrollBy(away(inner.left, inner.right, outer.left, outer.right), away(inner.top, inner.bottom, outer.top, outer.bottom));
}

/** Scrolls what lies around an element, as if the element were not there to scroll. */
function scrollOutside(element, distance) {
  for (let at = element.parentElement; at; at = at.parentElement) {
    const scrolls = at === document.scrollingElement || ["auto", "scroll"].includes(getComputedStyle(at).overflowY);
    const before = at.scrollTop;
    if (!scrolls) continue;
    at.scrollTop += distance;
    if (at.scrollTop !== before) return;
  }
}
