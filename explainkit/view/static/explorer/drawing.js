// The graph as SVG: shapes and words for kinds, line styles for grades. Built once for a chart;
// a new walk only changes classes.
const WORDS = 80; // verbs and flags that are written beside arrows and boxes; titles hold the rest
const SIDE = 6, ABOVE = 22; // room for thick borders, and for the flag of a box in the top row
const W = 94, H = 25, ROOM = 2 * W - 26;
const NAME = 13.5, LONG_NAME = 11.5, WORD = 11.5;
/** The outlines of kinds, half as wide and half as high as told; corners keep their share of the height. */
function shapesOf(w, h) {
  const cut = 0.56 * h, slant = 0.48 * h, inset = Math.max(2, 0.1 * h), fold = 0.24 * h;
  return {
    question: `M${h - w} ${-h}H${w - h}A${h} ${h} 0 0 1 ${w - h} ${h}H${h - w}A${h} ${h} 0 0 1 ${h - w} ${-h}Z`,
    context: `M${-w} ${-h}H${w - cut}L${w} ${cut - h}V${h}H${-w}ZM${w - cut} ${-h}V${cut - h}H${w}`,
    model: `M${cut - w} ${-h}H${w - cut}L${w} 0L${w - cut} ${h}H${cut - w}L${-w} 0Z`,
    event: `M${-w} ${-h}H${w - cut}L${w} 0L${w - cut} ${h}H${-w}L${0.4 * h - w} 0Z`,
    answer: `M${-w} ${-h}H${w}V${h}H${-w}ZM${inset - w} ${inset - h}H${w - inset}V${h - inset}H${inset - w}Z`,
    override: `M${slant - w} ${-h}H${w}L${w - slant} ${h}H${-w}Z`,
    verdict: `M${slant - w} ${-h}H${w - slant}L${w} ${slant - h}V${h - slant}L${w - slant} ${h}H${slant - w}L${-w} ${h - slant}V${slant - h}Z`,
    fold: `M${-w} ${fold - h}H${w - fold}V${h}H${-w}ZM${fold - w} ${fold - h}V${-h}H${w}V${h - fold}H${w - fold}`,
    "": `M${-w} ${-h}H${w}V${h}H${-w}Z`,
  };
}
const SHAPES = shapesOf(W, H), KEYS = shapesOf(17, 7);
const shapeOf = (kind, shapes = SHAPES) => (Object.hasOwn(shapes, kind) ? shapes[kind] : shapes[""]);
const gradeClass = (grade) => `ek-grade-${GRADES.includes(grade) ? grade : "order"}`;

/** As many letters of a label as fit a box; the whole of it is the title. */
function fitted(words, size) {
  const fits = (text) => lengthOf(text, size) <= ROOM;
  const letters = [...words.slice(0, 120)];
  if (words.length <= 120 && fits(words)) return words;
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(`${letters.slice(0, middle).join("")}…`)) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("").trimEnd()}…`;
}

/** The name in a box, in smaller type before letters are left out. */
function nameOf(words, y) {
  const long = lengthOf(words.slice(0, 120), NAME) > ROOM;
  return draw("text", { class: long ? "ek-label ek-long" : "ek-label", y }, fitted(words, long ? LONG_NAME : NAME));
}

const wordAt = (node, y) => draw("text", { class: "ek-word", y }, fitted(node.word, WORD));

class Drawing {
  constructor(chart) {
    this.chart = chart;
    this.width = Math.max(chart.width, 2 * W) + 2 * SIDE;
    this.height = Math.max(chart.height, 2 * H) + ABOVE + SIDE;
    const plain = uniqueName("arrow"), lit = uniqueName("arrow-lit");
    this.heads = { plain: `url(#${plain})`, lit: `url(#${lit})` };
    this.byEnds = new Map(chart.arrows.map((arrow, index) => [`${arrow.source}>${arrow.target}`, index]));
    this.paths = chart.arrows.map((arrow) => this.arrow(arrow));
    this.boxes = chart.nodes.map((node) => this.box(node));
    this.edges = draw("g", {}, ...this.paths.filter(Boolean));
    this.litEdges = draw("g", {});
    this.words = draw("g", { class: "ek-overlay" });
    this.svg = draw("svg", {
      class: "ek-svg", viewBox: `${-SIDE} ${-ABOVE} ${this.width} ${this.height}`, role: "group",
      "aria-label": "Graph of the run: sources above what they feed",
    }, draw("defs", {}, head(plain, "ek-arrow"), head(lit, "ek-arrow-lit")),
    this.edges, this.litEdges, draw("g", {}, ...this.boxes), this.words);
    this.litBoxes = new Set();
    this.origins = new Set();
    this.litArrows = new Map();
    this.selected = -1;
    this.entry = null;
  }

  arrow(arrow) {
    if (!arrow.route?.length) return null;
    const [first, ...rest] = arrow.route;
    const path = draw("path", {
      class: `ek-edge ${gradeClass(arrow.grade)}`, "marker-end": this.heads.plain,
      d: `M${first.join(" ")}C${rest.map((point) => point.join(" ")).join(" ")}`,
    });
    path.append(draw("title", {}, titleOf(arrow)));
    return path;
  }

  box(node) {
    const fold = node.members ? ` (${node.members.toLocaleString("en")})` : "";
    const kind = Object.hasOwn(SHAPES, node.kind) ? ` ek-kind-${node.kind}` : node.kind === "lost" ? " ek-kind-lost" : "";
    return draw("g", {
      class: `ek-node${kind}${node.absent ? " ek-absent" : ""}`, role: "button", tabindex: "-1",
      transform: `translate(${node.x} ${node.y})`,
    },
    draw("title", {}, `${node.word}${fold}: ${node.label}${node.members ? "" : `, ${recordOf(node.seq)}`}`),
    draw("path", { class: "ek-shape", d: shapeOf(node.kind) }),
    ...(node.members ? [wordAt(node, -6), nameOf(node.label || "–", 12)] : [wordAt(node, -10.5), nameOf(node.label || "–", 5.5),
      draw("text", { class: "ek-seq", y: "19" }, recordOf(node.seq))]));
  }

  /** Lights boxes and arrows; only what differs from the last time is touched. */
  light({ boxes, origins, arrows }) {
    differing(this.litBoxes, boxes, (index, on) => this.boxes[index].classList.toggle("ek-lit", on));
    differing(this.origins, origins, (index, on) => this.boxes[index].classList.toggle("ek-source", on));
    const lit = new Map();
    for (const [ends, how] of arrows) if (this.byEnds.has(ends)) lit.set(this.byEnds.get(ends), how);
    for (const [index] of this.litArrows) if (!lit.has(index)) this.restyle(index, null);
    for (const [index, how] of lit) if (!same(this.litArrows.get(index), how)) this.restyle(index, how);
    [this.litBoxes, this.origins, this.litArrows] = [new Set(boxes), new Set(origins), lit];
    this.words.replaceChildren(...this.written());
    this.svg.classList.toggle("ek-has-path", boxes.size > 0);
  }

  restyle(index, how) {
    const path = this.paths[index];
    if (!path) return;
    path.setAttribute("class", `ek-edge ${gradeClass(how ? how[1] : this.chart.arrows[index].grade)}${how ? " ek-lit" : ""}`);
    path.setAttribute("marker-end", how ? this.heads.lit : this.heads.plain);
    path.querySelector("title").replaceChildren(titleOf(this.chart.arrows[index], how));
    if (how && path.parentNode !== this.litEdges) this.litEdges.append(path); // on top of the dimmed ones
    else if (!how) this.edges.append(path);
  }

  /** Flags of sources, and verbs beside the arrows where there is room; titles hold every verb. */
  written() {
    const flags = [...this.origins].slice(0, WORDS).map((index) => {
      const { x, y } = this.chart.nodes[index];
      return { words: "starts here", className: "ek-flag", places: [[x - W + 2, y - H - 6, "start"], [x + W - 2, y - H - 6, "end"]] };
    });
    const verbs = [...this.litArrows].slice(0, WORDS).map(([index, [verb]]) => {
      const { route } = this.chart.arrows[index];
      return { words: verb, className: "ek-verb-label", places: route?.length ? besideArrow(route) : [] };
    });
    const boxes = this.chart.nodes.map(({ x, y }) => [x - W, y - H, x + W, y + H]);
    return placedLabels([...flags, ...verbs], boxes).map(({ words, className, x, y, anchor }) =>
      draw("text", { class: className, "text-anchor": anchor, x, y }, words));
  }

  /** Puts the cursor on a box; -1 for none. */
  select(index) {
    const box = this.boxes[index];
    this.entry?.classList.remove("ek-selected");
    this.entry?.removeAttribute("aria-current");
    this.entry?.setAttribute("tabindex", "-1");
    this.selected = box ? index : -1;
    this.entry = box ?? this.boxes[0]; // where the Tab key enters the graph
    this.entry?.setAttribute("tabindex", "0");
    box?.classList.add("ek-selected");
    box?.setAttribute("aria-current", "true");
  }

  zoom(scale) {
    this.svg.setAttribute("width", String(this.width * scale));
    this.svg.setAttribute("height", String(this.height * scale));
  }
}

/** What an arrow says when it is pointed at: the verb of the walk, or its role. */
function titleOf({ role, grade, count }, how = null) {
  const times = count > 1 ? `, ${count.toLocaleString("en")} times` : "";
  return how ? `${how[0]} (${how[1]})` : `${role} (${grade}${times})`;
}

const same = (before, after) => before !== undefined && before[0] === after[0] && before[1] === after[1];

function head(name, className) {
  return draw("marker", {
    id: name, viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "8", markerHeight: "8",
    orient: "auto", markerUnits: "userSpaceOnUse",
  }, draw("path", { d: "M0 0L8 4L0 8Z", class: className }));
}

function differing(before, after, act) {
  for (const index of before) if (!after.has(index)) act(index, false);
  for (const index of after) if (!before.has(index)) act(index, true);
}
