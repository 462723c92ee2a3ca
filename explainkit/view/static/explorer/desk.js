// What all panels share: one cursor, one walk, one chart, one line of status, and the way back.
class Desk {
  /** @param hostOf takes a function that says a line, gives a host. */
  constructor(hostOf) {
    this.listeners = { cursor: [], shown: [], chart: [], said: [], lit: [], tried: [], found: [], compare: [], gone: [] };
    this.host = hostOf((words) => this.say(words));
    this.scene = this.host.get("scene") ?? {};
    this.chart = this.host.get("chart") ?? {};
    this.shown = this.host.get("shown") ?? {};
    this.cursor = this.host.get("cursor") ?? null;
    this.tried = this.host.get("tried") ?? {};
    this.found = this.host.get("found") ?? {};
    this.history = [];
    this.inspected = new Map();
    this.alias = new Map(); // ends of links that were asked for, and their beginnings
    this.own = null;
    this.turn = 0;
    this.host.on("scene", (scene) => { this.scene = scene; });
    this.host.on("chart", (chart) => this.takeChart(chart));
    this.host.on("shown", (shown) => this.takeWalk(shown));
    this.host.on("cursor", (seq) => { if (seq !== this.cursor && Number.isInteger(seq)) this.go(seq, { tell: false }); });
    this.host.on("status", (words) => this.say(words));
    this.host.onGone((words) => this.lose(words));
    this.host.on("tried", (tried) => { this.tried = tried; this.emit("tried", tried); });
    this.host.on("found", (found) => { this.found = found; this.emit("found"); });
  }

  /** Nobody answers any more: that is said, and what was measured is over. */
  lose(words) {
    this.depart();
    if (this.tried.state === "running") {
      this.tried = { ...this.tried, state: "stopped", words: "The kernel is gone, and with it what was not measured to its end." };
      this.emit("tried", this.tried);
    }
    this.say(words);
  }

  depart() {
    if (this.gone) return;
    this.gone = true;
    this.emit("gone");
  }

  takeChart(chart) {
    this.chart = chart;
    this.own = null; // what the reader lit was told by boxes of the old chart
    this.emit("chart");
  }

  takeWalk(shown) {
    this.shown = shown;
    this.own = null;
    this.inspected.clear(); // marks are those of a walk
    this.emit("shown");
    this.emit("lit");
  }

  on(name, act) { this.listeners[name].push(act); }

  /** Listens for as long as an element stays in the document. */
  onWhile(element, name, act) {
    const heard = () => {
      if (element?.isConnected) act();
      else this.listeners[name] = this.listeners[name].filter((each) => each !== heard);
    };
    this.listeners[name].push(heard);
  }
  emit(name, ...rest) { for (const act of this.listeners[name]) act(...rest); }
  say(words) { if (words) this.emit("said", words); }

  /** Asks, and says what went wrong; null then. */
  async ask(ask, fields = {}) {
    try {
      return await this.host.ask({ ask, ...fields });
    } catch (error) {
      if (error.message === GONE) this.depart();
      this.say(error.message);
      return null;
    }
  }

  /** Whether the cursor stands on what a record belongs to. */
  isHere(seq) {
    if (this.cursor === null) return false;
    return (this.boxed(seq) ?? this.alias.get(seq) ?? seq) === this.cursor;
  }

  /** The record that has a box of its own for a record; undefined where a fold or nothing shows it. */
  boxed(seq) {
    const node = this.chart.nodes?.[this.boxOf(seq)];
    return node && !node.members ? node.seq : undefined;
  }

  /** Asks for what nobody has set yet; the cursor begins where the words start. */
  async start() {
    if (!this.chart.nodes) await this.ask("chart", { opened: [], only: "run" });
    if (!this.shown.at) await this.walk({});
    const start = this.startSeq();
    if (this.cursor === null && Number.isInteger(start)) this.go(start);
  }

  /** Index of the box that shows a record, or -1. Ranges are in ascending order and apart. */
  boxOf(seq) {
    const ranges = this.chart?.boxOf ?? [];
    let low = 0, high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle][0] <= seq) low = middle + 1;
      else high = middle;
    }
    return low > 0 && ranges[low - 1][1] >= seq ? ranges[low - 1][2] : -1;
  }

  /** What a record holds; its marks are those of the walk that is shown. */
  inspect(seq) {
    if (!this.inspected.has(seq)) {
      const answer = this.host.ask({ ask: "inspect", seq });
      this.inspected.set(seq, answer);
      answer.catch(() => this.inspected.delete(seq));
    }
    return this.inspected.get(seq);
  }

  /** The record whose box shows a record: the beginning of a link for its end. */
  async recordOf(seq) {
    const known = this.boxed(seq);
    if (known !== undefined) return known;
    try {
      const record = (await this.inspect(seq)).seq;
      this.alias.set(seq, record);
      return record;
    } catch {
      return null;
    }
  }

  /** Moves the cursor; a record that is not there leaves it where it is and names the nearest. */
  async go(seq, { remember = true, tell = true } = {}) {
    const turn = (this.turn += 1);
    const record = await this.recordOf(seq);
    if (turn !== this.turn) return false;
    if (record === null) {
      const nearest = await this.ask("nearest", { seq });
      if (nearest) this.say(`${nearest.words} The cursor stays.`);
      if (!tell) this.host.set("cursor", this.cursor);
      return false;
    }
    if (remember && this.cursor !== null && this.cursor !== record) this.history.push(this.cursor);
    this.cursor = record;
    if (tell || record !== seq) this.host.set("cursor", record);
    this.emit("cursor");
    return true;
  }

  /** Esc: first the walk is lit again, then the cursor goes back. */
  back() {
    if (this.own) {
      this.own = null;
      this.emit("lit");
      this.say("The walked path is lit again.");
    } else if (this.history.length) {
      this.go(this.history.pop(), { remember: false });
    } else {
      this.say("There is nothing to go back to.");
    }
  }

  /** Home: where the words start, or the answer that was walked from. */
  home() {
    const start = this.startSeq();
    if (Number.isInteger(start)) this.go(start);
    else this.say("This run has no start of a walk.");
  }

  startSeq() {
    const at = this.shown.at;
    if (this.shown.lit?.origins?.length) return this.shown.lit.origins[0];
    const found = (this.scene.answers ?? []).find((each) => at && each.slot === at.slot && each.version === at.version);
    return found?.seq ?? this.chart.nodes?.at(-1)?.seq ?? null;
  }

  /** Walks back from a stretch of an answer; null for its ends means all of it. */
  async walk(changes) {
    const at = { slot: "answer", version: null, start: null, end: null, grade: "value", ...this.shown?.at, ...changes };
    this.say("Walking back …");
    const found = await this.ask("walk", at);
    if (!found) this.emit("shown"); // the choosers say again what is shown
    if (found && sameStretch(found.at, at)) {
      const from = found.selected ? `“${found.selected}”` : "the whole answer";
      this.say(`Walked back from ${from}: ${counted(found.trail.length + (found.trail_small ?? []).length + found.trail_folded, "hop")}.`);
    }
    if (found?.lit.origins.length) this.go(found.lit.origins[0]);
    return found;
  }

  async openFold(index) {
    const node = this.chart.nodes[index];
    const opened = [...new Set([...(this.chart.opened ?? []), node.seq])];
    this.say(`Opening ${counted(node.members, "folded record")} …`);
    const drawn = await this.ask("chart", { opened, only: this.chart.only ?? "run" });
    if (!drawn) return;
    const others = opened.length - drawn.opened.length;
    const closed = others > 0 ? " This page opens one fold at a time: what was open is folded again." : "";
    this.say(`The fold is open; ${counted(drawn.nodes.length, "box is", "boxes are")} drawn.${closed}`);
  }

  /** The indices of boxes and pairs of them that are lit: by a box of the reader's, else by the walk. */
  lit() {
    if (this.own) return this.own;
    const boxes = new Set(), origins = new Set(), arrows = new Map();
    const lit = this.shown?.lit ?? { boxes: [], arrows: [], origins: [] };
    const into = (set, seq) => { const box = this.boxOf(seq); if (box >= 0) set.add(box); };
    for (const seq of lit.boxes) into(boxes, seq);
    for (const seq of lit.origins) into(origins, seq);
    for (const [source, target, verb, grade] of lit.arrows) {
      arrows.set(`${this.boxOf(source)}>${this.boxOf(target)}`, [verb, grade]);
    }
    return { boxes, origins, arrows };
  }

  /** Enter: lights what is known to feed a box, by declared and value evidence. */
  lightFrom(index) {
    const boxes = new Set([index]), arrows = new Map(), queue = [index];
    const into = new Map();
    for (const arrow of this.chart.arrows) {
      if (!into.has(arrow.target)) into.set(arrow.target, []);
      into.get(arrow.target).push(arrow);
    }
    for (const at of queue) {
      for (const arrow of into.get(at) ?? []) {
        if (arrow.grade !== "declared" && arrow.grade !== "value") continue;
        arrows.set(`${arrow.source}>${arrow.target}`, [arrow.role, arrow.grade]);
        if (!boxes.has(arrow.source)) { boxes.add(arrow.source); queue.push(arrow.source); }
      }
    }
    this.own = { boxes, arrows, origins: new Set() };
    this.emit("lit");
    const node = this.chart.nodes[index];
    this.say(`${counted(boxes.size - 1, "box", "boxes")} feed ${node.word}: ${node.label} (${recordOf(node.seq)}) by declared or value evidence.`);
  }
}
