// Who answers the questions: a kernel behind a widget, or JSON that was written into the page.
const PATIENCE = 6000;
const GONE = "The kernel of this explorer was restarted or has ended: run the cell again to explore on. What is shown stays, and can be read.";

/** Traits and questions of the widget. `say` gets one line when the kernel keeps silent. */
function kernelHost(model, say) {
  const waiting = new Map();
  const heard = [];
  let number = Math.floor(Math.random() * 2 ** 45);
  const listen = (event, act) => {
    model.on(event, act);
    heard.push([event, act]);
  };
  listen("msg:custom", (reply) => {
    const asked = waiting.get(reply?.id);
    if (!asked) return;
    waiting.delete(reply.id);
    clearTimeout(asked.timer);
    if (asked.late) say("The kernel answered.");
    if (reply.ok) asked.resolve(reply.answer);
    else asked.reject(new Error(reply.error || "The kernel gave no answer and no reason."));
  });
  const giveUp = () => {
    for (const asked of waiting.values()) {
      clearTimeout(asked.timer);
      asked.reject(new Error(GONE));
    }
    waiting.clear();
  };
  return {
    exact: true,
    get: (name) => model.get(name),
    on: (name, act) => listen(`change:${name}`, () => act(model.get(name))),
    /** Calls a function when the widget lost its kernel, in front ends that tell. */
    onGone: (act) => listen("comm_live_update", () => { giveUp(); act(GONE); }),
    set(name, value) {
      model.set(name, value);
      model.save_changes();
    },
    ask(request) {
      const id = (number += 1);
      return new Promise((resolve, reject) => {
        const asked = { resolve, reject, late: false };
        asked.timer = setTimeout(() => {
          asked.late = true;
          const seconds = PATIENCE / 1000;
          say(`The kernel has not answered for ${seconds} seconds: it is busy or gone. What is shown stays; if it was restarted, run the cell again.`);
        }, PATIENCE);
        waiting.set(id, asked);
        try {
          model.send({ id, ...request });
        } catch {
          clearTimeout(asked.timer);
          waiting.delete(id);
          reject(new Error(GONE));
        }
      });
    },
    close() {
      for (const [event, act] of heard) model.off(event, act);
      for (const asked of waiting.values()) clearTimeout(asked.timer);
      waiting.clear();
    },
  };
}

/** The fields of a request in the order in which the page's answers are named. */
const NAMED = {
  inspect: ["seq"], text: ["seq", "slot", "start"], answer: ["slot", "version", "start"],
  story: [], timeline: ["start", "end"], machine: ["link", "step"],
  tree: [], tries: [], ladder: ["item"], offered: ["slot", "query"], bisect: ["slot", "say"],
};

/** Traits and prepared answers of a page: `{scene, chart, shown, cursor, status, tried, found, walks, rows, openings, replies}`. */
function pageHost(data, say) {
  data.walks = data.walks.map((walk) => ({ ...data.walks[0], ...walk })); // what all say is written once
  const listeners = { chart: [], shown: [], cursor: [], status: [], tried: [], found: [] };
  const put = (name, value) => {
    data[name] = value;
    for (const act of listeners[name]) act(value);
  };
  const answers = {
    walk(request) {
      const walk = smallestHolding(data.walks, meant(data, request));
      if (!walk) throw new Error("No walk was prepared for this answer. With a kernel, run.explore() walks back from any words.");
      put("shown", walk);
      if (data.chart.only === "path" && !sameWalk(walk.at, data.walks[0].at)) put("chart", data.replies['["chart",[],"run"]']);
      if (!sameStretch(walk.at, request)) say(insteadOf(walk, meant(data, request)));
      return walk;
    },
    rows: (request) => rowsOf(data, request),
    chart: ({ opened, only }) => {
      const same = data.walks.length === 0 || sameWalk(data.shown.at, data.walks[0].at);
      if (only === "path" && !same) {
        throw new Error("The path of these words was not drawn for this page, which shows the run. With a kernel, run.explore() draws it.");
      }
      const drawn = openedChart(data, opened, only);
      put("chart", drawn);
      return drawn;
    },
    inspect: (request) => held(request) ?? nameAlone(data, request.seq),
    nearest({ seq }) {
      const rows = data.rows;
      let best = null;
      for (const row of rows) if (!best || Math.abs(row.seq - seq) < Math.abs(best.seq - seq)) best = row;
      if (!best) throw new Error("The run holds no record.");
      const nearest = `record ${best.seq}, ${best.word}: ${best.label}`;
      return { seq: best.seq, words: `Record ${seq} has no box of its own; the nearest is ${nearest}.` };
    },
  };
  const held = (request) => {
    const key = JSON.stringify([request.ask, ...NAMED[request.ask].map((name) => request[name] ?? null)]);
    return Object.hasOwn(data.replies, key) ? data.replies[key] : undefined;
  };
  const look = (request) => {
    if (!NAMED[request.ask]) throw new Error("This page has no kernel: nothing can be run in it. With one, run.explore() does it.");
    const found = held(request);
    if (found === undefined && request.ask === "answer") {
      throw new Error("This page holds no more of the answer. With a kernel, run.explore() shows the rest.");
    }
    if (found === undefined) throw new Error("This page does not hold that. With a kernel, run.explore() shows it.");
    return found;
  };
  return {
    exact: false,
    get: (name) => data[name],
    on: (name, act) => listeners[name]?.push(act),
    onGone() {},
    set: put,
    async ask(request) {
      return Object.hasOwn(answers, request.ask) ? answers[request.ask](request) : look(request);
    },
    close() {},
  };
}

/** What a page says of a walk from other words than those that were selected. */
function insteadOf(walk, wanted) {
  if (sameStretch(walk.at, wanted)) return `Walked back from “${walk.selected}”, without the marks around it.`;
  const instead = walk.at.start === null ? "the whole answer" : `“${walk.selected}”, the smallest prepared stretch that holds them`;
  return `These very words were not prepared in this page: shown is ${instead}. With a kernel, run.explore() walks back from any words.`;
}

const EDGE = /[\s.,;:!?()[\]{}"'“”‘’«»…]/;

/** A request as it stands where its words were prepared, else without the space and the marks at their ends. */
function meant(data, request) {
  let { start, end } = request;
  const held = ({ at }) => at.slot === request.slot && at.version === request.version && sameStretch(at, request);
  if (!Number.isInteger(start) || data.walks.some(held)) return request;
  const letters = new Map();
  for (const [words, first, length] of data.shown.strip ?? []) {
    const points = [...words];
    if (points.length === length) points.forEach((letter, at) => letters.set(first + at, letter));
  }
  while (start < end && EDGE.test(letters.get(start) ?? "")) start += 1;
  while (end > start && EDGE.test(letters.get(end - 1) ?? "")) end -= 1;
  return end > start ? { ...request, start, end } : request;
}

const sameStretch = (at, { start, end }) => (at.start ?? null) === (start ?? null) && (at.end ?? null) === (end ?? null);

const sameWalk = (at, other) => at.slot === other.slot && at.version === other.version && sameStretch(at, other);

/** The shortest prepared walk of the same answer that holds a stretch; the whole answer holds all. */
function smallestHolding(walks, { slot, version, start, end }) {
  let best = null, size = Infinity;
  for (const walk of walks) {
    const at = walk.at;
    if (at.slot !== slot || at.version !== version) continue;
    const whole = at.start === null;
    if (!whole && (start === null || at.start > start || at.end < end)) continue;
    const length = whole ? Number.MAX_SAFE_INTEGER : at.end - at.start;
    if (length < size) [best, size] = [walk, length];
  }
  return best;
}

/** A window of the outline, filtered here because nobody else is there to do it. */
function rowsOf(data, { query, kinds, grades, verdicts, start, count }) {
  const words = query.toLowerCase().trim();
  const fits = (row) =>
    (!kinds.length || kinds.includes(row.kind)) && (!grades.length || row.grades.some((each) => grades.includes(each))) &&
    (!verdicts.length || row.verdicts.some((each) => verdicts.includes(each))) &&
    (!words || haystackOf(data, row).includes(words));
  const found = data.rows.filter(fits);
  return { start, total: found.length, of: data.rows.length, rows: found.slice(start, start + count) };
}

function haystackOf(data, row) {
  data.haystacks ??= new Map();
  if (!data.haystacks.has(row.seq)) {
    const held = data.replies[JSON.stringify(["inspect", row.seq])];
    const texts = held ? [...held.lines.flat(), ...held.texts.flatMap((text) => text.pieces.map((piece) => piece[0]))] : [];
    data.haystacks.set(row.seq, [row.word, row.label, recordOf(row.seq), ...texts].join("\n").toLowerCase());
  }
  return data.haystacks.get(row.seq);
}
