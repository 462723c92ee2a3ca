// Where the words beside arrows go: never over another word or a box, and always the same.
const LETTER = 12, RISE = 11, FALL = 4, BESIDE = 7, AROUND = 2;
const ruler = { context: null };

/** How long words are in the type of boxes and arrows. */
function lengthOf(words, size) {
  ruler.context ??= document.createElement("canvas").getContext("2d");
  ruler.context.font = `600 ${size}px system-ui, sans-serif`;
  return ruler.context.measureText(words).width;
}

/** Puts labels where nothing stands yet, in their order; one without a place is left out.
 *  A label is `{words, places}` with `[x, y, anchor]` each; `taken` holds `[left, top, right, bottom]`. */
function placedLabels(labels, taken) {
  const rooms = new Rooms(taken), placed = [];
  for (const label of labels) {
    const width = lengthOf(label.words, LETTER);
    for (const [x, y, anchor] of label.places) {
      const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
      const room = [left - AROUND, y - RISE - AROUND, left + width + AROUND, y + FALL + AROUND];
      if (!rooms.free(room)) continue;
      rooms.take(room);
      placed.push({ ...label, x, y, anchor });
      break;
    }
  }
  return placed;
}

/** Boxes by the stripes that they lie in, so that few are compared. */
class Rooms {
  constructor(taken) {
    this.stripes = new Map();
    for (const room of taken) this.take(room);
  }
  *near([, top, , bottom]) {
    for (let stripe = Math.floor(top / 64); stripe <= Math.floor(bottom / 64); stripe += 1) yield stripe;
  }
  take(room) {
    for (const stripe of this.near(room)) {
      if (!this.stripes.has(stripe)) this.stripes.set(stripe, []);
      this.stripes.get(stripe).push(room);
    }
  }
  free(room) {
    const [left, top, right, bottom] = room;
    for (const stripe of this.near(room)) {
      for (const [l, t, r, b] of this.stripes.get(stripe) ?? []) {
        if (left < r && l < right && top < b && t < bottom) return false;
      }
    }
    return true;
  }
}

/** Places beside an arrow: its middle first, then its other stretches; each on both sides.
 *  Arrows that lead up are labelled on their left, so that a way there and back reads twice. */
function besideArrow(route) {
  const stretches = (route.length - 1) / 3, middle = Math.floor(stretches / 2);
  const order = [...Array(stretches).keys()].sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle) || one - other);
  const up = route[0][1] > route.at(-1)[1];
  return order.flatMap((stretch) => [0.5, 0.3, 0.7].flatMap((share) => {
    const bent = route.slice(stretch * 3, stretch * 3 + 4), [x, y] = pointOf(bent, share);
    const [dx, dy] = slopeOf(bent, share), lean = Math.abs(dx / (dy || 0.01));
    if (lean > 2.5) return [[x, y - BESIDE - 24 / lean, "middle"], [x, y + RISE + BESIDE + 24 / lean, "middle"]];
    const away = BESIDE + lean * 7; // a slanting arrow leaves the height of a letter free only farther away
    const sides = [[x + away, y + FALL, "start"], [x - away, y + FALL, "end"]];
    return up ? sides.reverse() : sides;
  }));
}

function pointOf([a, b, c, d], share) {
  const rest = 1 - share;
  return [0, 1].map((axis) => rest ** 3 * a[axis] + 3 * rest ** 2 * share * b[axis]
    + 3 * rest * share ** 2 * c[axis] + share ** 3 * d[axis]);
}

function slopeOf([a, b, c, d], share) {
  const rest = 1 - share;
  return [0, 1].map((axis) => rest ** 2 * (b[axis] - a[axis]) + 2 * rest * share * (c[axis] - b[axis]) + share ** 2 * (d[axis] - c[axis]));
}
