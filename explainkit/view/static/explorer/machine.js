// A statechart lit at a step: a thick border says active, a fill says visited, dashes never entered.
function machineSvg(drawing) {
  const plain = uniqueName("machine-arrow"), taken = uniqueName("machine-taken");
  const heads = { plain: `url(#${plain})`, taken: `url(#${taken})` };
  const order = [...drawing.arrows].sort((a, b) => Number(a.taken) - Number(b.taken));
  const outer = drawing.states.filter((state) => !state.box), boxes = drawing.states.filter((state) => state.box);
  const pad = 8;
  return draw("svg", {
    class: "ek-machine", role: "group", "aria-label": "The machine; the words beside it say the same",
    viewBox: `${-pad} ${-pad} ${drawing.width + 2 * pad} ${drawing.height + 2 * pad}`,
    width: drawing.width + 2 * pad, height: drawing.height + 2 * pad,
  },
  draw("defs", {}, head(plain, "ek-arrow"), head(taken, "ek-arrow-lit")),
  ...outer.map(stateFrame),
  ...drawing.starts.map(({ dot, route }) => draw("g", {}, curve(route, "ek-edge", heads.plain), circle(dot, 5))),
  ...boxes.map(stateBox),
  ...order.filter((arrow) => arrow.route.length).map((arrow) =>
    curve(arrow.route, `ek-edge${arrow.taken ? " ek-lit" : ""}`, arrow.taken ? heads.taken : heads.plain)),
  ...drawing.anchors.map((point) => circle(point, 3.2)),
  ...order.filter((arrow) => arrow.label).map(arrowWords));
}

function arrowWords({ taken, label: [x, y], words }) {
  const className = `ek-state-line ek-halo${taken ? " ek-strong" : ""}`;
  return draw("text", { class: className, x, y: y + 4, "text-anchor": "middle" }, words);
}

const circle = ([x, y], r) => draw("circle", { class: "ek-dot", cx: x, cy: y, r });

function curve(route, className, markerEnd) {
  const [first, ...rest] = route;
  const bend = rest.length % 3 ? "L" : "C";
  const d = `M${first.join(" ")}${bend}${rest.map((point) => point.join(" ")).join(" ")}`;
  return draw("path", { class: className, d, "marker-end": markerEnd });
}

const STANDINGS = ["active", "visited", "never"];
const standingClass = (state) => `ek-state ek-standing-${STANDINGS.includes(state.standing) ? state.standing : "never"}`;

function rect([x, y, width, height], className, rx, inset = 0) {
  return draw("rect", { class: className, x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx });
}

function stateFrame(state) {
  const [left, top] = state.frame;
  const lines = state.lines.map((line, place) => stateLine(line, place, left + 12, top + 19 + 15 * place, "start"));
  return draw("g", {}, rect(state.frame, `${standingClass(state)} ek-state-around`, 10), ...lines);
}

function stateBox(state) {
  const [left, top, width, height] = state.frame;
  const first = top + height / 2 - (17 * (state.lines.length - 1)) / 2 + 4.5;
  const lines = state.lines.map((line, place) => stateLine(line, place, left + width / 2, first + 17 * place, "middle"));
  const shape = [rect(state.frame, standingClass(state), state.kind === "history" ? height / 2 : 8)];
  if (state.kind === "final") shape.push(rect(state.frame, "ek-state-inner", 5, 5));
  return draw("g", {}, ...shape, ...lines);
}

const stateLine = (line, place, x, y, anchor) =>
  draw("text", { class: `ek-state-line${place ? "" : " ek-strong"}`, x, y, "text-anchor": anchor }, line);
