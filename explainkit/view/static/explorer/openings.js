// Folds that open in a page: charts that were prepared as what they change in the folded one.
const HALF_BOX = 25;

const tenth = (number) => Math.round(number * 10) / 10;

/** The chart of a page in which the fold that was asked for last is open. */
function openedChart(data, opened, only) {
  const base = data.replies[JSON.stringify(["chart", [], only])];
  if (!opened.length) return base;
  const asked = new Set(opened);
  let best = null, most = 0;
  for (const each of data.openings ?? []) {
    const shared = each.opened.filter((seq) => asked.has(seq)).length;
    if (each.only === only && each.opened.at(-1) === opened.at(-1) && shared > most) [best, most] = [each, shared];
  }
  if (!best) throw new Error("This fold was not opened for this page, which says so at its end. With a kernel, run.explore() opens it.");
  return madeOf(base, best);
}

/** A whole chart, of the folded one and what opening changes in it. */
function madeOf(base, { nodes: told, arrows: ways, boxOf: ranges, ...rest }) {
  const now = new Map(); // places of boxes in the folded chart, and in this one
  const nodes = told.map((each, index) => {
    if (!Array.isArray(each)) return each;
    const [at, x, y] = each;
    now.set(at, index);
    return { ...base.nodes[at], x, y };
  });
  const arrows = ways.map((each) => {
    if (!Array.isArray(each)) return each;
    const [source, target, how, ...bends] = each;
    const { role, grade, count } = Array.isArray(how) ? { role: how[0], grade: how[1], count: how[2] } : base.arrows[how];
    return { source, target, role, grade, count, route: routeOf(nodes, source, target, bends) };
  });
  const kept = base.boxOf.filter(([, , box]) => now.has(box)).map(([first, last, box]) => [first, last, now.get(box)]);
  const boxOf = [...kept, ...ranges].sort((one, other) => one[0] - other[0]);
  return { ...rest, engine: base.engine, nodes, arrows, boxOf };
}

/** An arrow from box to box: upright at its ends and at each of its bends. */
function routeOf(nodes, source, target, bends) {
  const [from, to] = [nodes[source], nodes[target]], sign = source < target ? 1 : -1;
  const stops = [[from.x, tenth(from.y + sign * HALF_BOX)]];
  for (let at = 0; at < bends.length; at += 2) stops.push([bends[at], bends[at + 1]]);
  stops.push([to.x, tenth(to.y - sign * HALF_BOX)]);
  const route = [stops[0]];
  for (let at = 1; at < stops.length; at += 1) {
    const [here, there] = [stops[at - 1], stops[at]], middle = tenth((here[1] + there[1]) / 2);
    route.push([here[0], middle], [there[0], middle], there);
  }
  return route;
}

/** What a page tells of a record of which it holds the name alone; nothing when not even that. */
function nameAlone(data, seq) {
  const known = data.rows.find((row) => row.seq === seq) ?? data.chart.nodes.find((node) => node.seq === seq);
  if (!known) throw new Error("This page does not hold that record. With a kernel, run.explore() shows it.");
  const lines = [["record", String(seq)], ["in this page", "its name alone; with a kernel, run.explore() shows what it holds"]];
  return { seq, kind: known.kind, word: known.word, label: known.label, lines, texts: [], feeds: [], fed_by: [], cell: null };
}
