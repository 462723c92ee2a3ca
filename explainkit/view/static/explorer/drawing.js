// The graph as SVG: shapes and words for kinds, line styles for grades. Built once for a chart;
// a new walk only changes classes.
const WORDS = 80; // verbs and flags that are written beside arrows and boxes; titles hold the rest
const SIDE = 6, ABOVE = 22; // room for thick borders, and for the flag of a box in the top row
const W = 94, H = 25, ROOM = 2 * W - 26;
const SHAPES = {
  question: `M${-W + 25} ${-H}H${W - 25}A25 25 0 0 1 ${W - 25} ${H}H${-W + 25}A25 25 0 0 1 ${-W + 25} ${-H}Z`,
  context: `M${-W} ${-H}H${W - 14}L${W} ${-H + 14}V${H}H${-W}ZM${W - 14} ${-H}V${-H + 14}H${W}`,
  model: `M${-W + 14} ${-H}H${W - 14}L${W} 0L${W - 14} ${H}H${-W + 14}L${-W} 0Z`,
  event: `M${-W} ${-H}H${W - 14}L${W} 0L${W - 14} ${H}H${-W}L${-W + 10} 0Z`,
  answer: `M${-W} ${-H}H${W}V${H}H${-W}ZM${-W + 4} ${-H + 4}H${W - 4}V${H - 4}H${-W + 4}Z`,
  override: `M${-W + 12} ${-H}H${W}L${W - 12} ${H}H${-W}Z`,
  verdict: `M${-W + 12} ${-H}H${W - 12}L${W} ${-H + 12}V${H - 12}L${W - 12} ${H}H${-W + 12}L${-W} ${H - 12}V${-H + 12}Z`,
  fold: `M${-W} ${-H + 6}H${W - 6}V${H}H${-W}ZM${-W + 6} ${-H + 6}V${-H}H${W}V${H - 6}H${W - 6}`,
};
const BOX = `M${-W} ${-H}H${W}V${H}H${-W}Z`;
const shapeOf = (kind) => (Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : BOX);
const gradeClass = (grade) => `ek-grade-${GRADES.includes(grade) ? grade : "order"}`;

const ruler = { context: null };
/** As many letters of a label as fit a box; the whole of it is the title. */
function fitted(words, size) {
  ruler.context ??= document.createElement("canvas").getContext("2d");
  ruler.context.font = `600 ${size}px system-ui, sans-serif`;
  const fits = (text) => ruler.context.measureText(text).width <= ROOM;
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
    const times = arrow.count > 1 ? `, ${arrow.count.toLocaleString("en")} times` : "";
    path.append(draw("title", {}, `${arrow.role} (${arrow.grade}${times})`));
    return path;
  }

  box(node) {
    const fold = node.members ? ` (${node.members.toLocaleString("en")})` : "";
    const kind = Object.hasOwn(SHAPES, node.kind) ? ` ek-kind-${node.kind}` : node.kind === "lost" ? " ek-kind-lost" : "";
    return draw("g", {
      class: `ek-node${kind}${node.absent ? " ek-absent" : ""}`, role: "button", tabindex: "-1",
      transform: `translate(${node.x} ${node.y})`,
    },
    draw("title", {}, `${node.word}${fold}: ${node.label}`),
    draw("path", { class: "ek-shape", d: shapeOf(node.kind) }),
    draw("text", { class: "ek-word", y: "-6" }, fitted(node.word, 11.5)),
    draw("text", { class: "ek-label", y: "12" }, fitted(node.label || "–", 13.5)));
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
    const said = [...lit].slice(0, WORDS).map(([index, [verb]]) => this.verb(index, verb));
    this.words.replaceChildren(...said, ...[...origins].slice(0, WORDS).map((index) => this.flag(index)));
    this.svg.classList.toggle("ek-has-path", boxes.size > 0);
  }

  restyle(index, how) {
    const path = this.paths[index];
    if (!path) return;
    path.setAttribute("class", `ek-edge ${gradeClass(how ? how[1] : this.chart.arrows[index].grade)}${how ? " ek-lit" : ""}`);
    path.setAttribute("marker-end", how ? this.heads.lit : this.heads.plain);
    if (how && path.parentNode !== this.litEdges) this.litEdges.append(path); // on top of the dimmed ones
    else if (!how) this.edges.append(path);
  }

  verb(index, verb) {
    const route = this.chart.arrows[index].route;
    if (!route?.length) return "";
    const middle = Math.floor(route.length / 2), [before, after] = [route[middle - 1], route[middle]];
    // Arrows that lead up are labelled on their left, so that a way there and back reads twice.
    const up = route[0][1] > route.at(-1)[1];
    return draw("text", {
      class: "ek-verb-label", "text-anchor": up ? "end" : "start",
      x: (before[0] + after[0]) / 2 + (up ? -7 : 7), y: (before[1] + after[1]) / 2 + 4,
    }, verb);
  }

  flag(index) {
    const { x, y } = this.chart.nodes[index];
    return draw("text", { class: "ek-flag", x: x - W + 2, y: y - H - 6 }, "starts here");
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
