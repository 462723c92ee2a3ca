// The outline: every record in order, searched and filtered by who answers, drawn where it is seen.
const ROW = 42, CHUNK = 100;

function outlinePanel(desk) {
  const panel = make("nav", "ek-outline");
  panel.setAttribute("aria-label", "Outline");
  const search = make("input", "ek-search");
  search.type = "search";
  search.placeholder = "Search records  ( / )";
  search.setAttribute("aria-label", "Search records");
  const filters = make("div", "ek-filters"), total = make("p", "ek-count");
  const list = make("div", "ek-rows"), space = make("div", "ek-space");
  list.tabIndex = 0;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Records");
  list.append(space);
  panel.append(search, filters, total, list);

  const asked = { query: "", kinds: [], grades: [], verdicts: [] };
  let chunks = new Map(), known = new Map(), size = 0, turn = 0, moves = 0, active = 0, litSeqs = new Set();

  for (const [name, words] of [["kinds", "any kind"], ["grades", "any grade"], ["verdicts", "any verdict"]]) {
    const every = desk.scene.legend?.[name] ?? [];
    // Evidence between records is declared or of values; what was only near is a matter of a walk.
    const values = name === "grades" ? every.filter(([grade]) => grade === "declared" || grade === "value") : every;
    if (values.length < (name === "verdicts" ? 1 : 2)) continue; // one verdict sets its records apart
    const option = (each) => (typeof each === "string" ? [each, each] : [each[0], name === "kinds" ? each[1] : each[0]]);
    const options = [["", words], ...values.map(option)];
    filters.append(chooser(`Show records of ${words}`, options, "", (value) => {
      asked[name] = value ? [value] : [];
      restart();
    }));
  }

  /** A hundred rows; asked for once, null when they did not come or are no longer wanted. */
  function chunk(number) {
    if (!chunks.has(number)) chunks.set(number, fetched(number, turn));
    return chunks.get(number);
  }

  async function fetched(number, mine, last = null) {
    const answer = await desk.ask("rows", { ...asked, start: number * CHUNK, count: CHUNK });
    if (mine !== turn) return null;
    if (!answer) {
      chunks.delete(number);
      return null;
    }
    known.set(number, answer.rows);
    size = answer.total;
    const all = counted(answer.of, "record");
    total.replaceChildren(joined([size === answer.of ? all : `${size.toLocaleString("en")} of ${all}`, answer.note], " · "));
    paint();
    if (!answer.note || answer.note === last) return answer.rows;
    // The search ran out of its time: it goes on by itself, and says how far it is.
    const further = () => {
      if (mine !== turn) return null;
      [chunks, known] = [new Map(), new Map()];
      const next = fetched(0, mine, answer.note);
      chunks.set(0, next);
      return next;
    };
    if (!answer.rows.length) return further();
    setTimeout(further);
    return answer.rows;
  }

  /** Place of a record among the rows, which are in order of their records; -1 for none. */
  async function placeOf(seq) {
    let [low, high] = [0, Math.ceil(size / CHUNK) - 1];
    while (low <= high) {
      const middle = (low + high) >> 1, rows = await chunk(middle);
      if (!rows?.length) return -1;
      if (rows[0].seq > seq) high = middle - 1;
      else if (rows.at(-1).seq < seq) low = middle + 1;
      else {
        const at = rows.findIndex((row) => row.seq === seq);
        return at < 0 ? -1 : middle * CHUNK + at;
      }
    }
    return -1;
  }

  function restart() {
    turn += 1;
    [chunks, known] = [new Map(), new Map()];
    active = 0;
    list.scrollTop = 0;
    return chunk(0);
  }

  const rowAt = (index) => known.get(Math.floor(index / CHUNK))?.[index % CHUNK];

  function paint() {
    space.style.height = `${size * ROW}px`;
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 6);
    const last = Math.min(size, Math.ceil((list.scrollTop + (list.clientHeight || 600)) / ROW) + 6);
    const nodes = [];
    for (let index = first; index < last; index += 1) {
      const row = rowAt(index);
      if (row) nodes.push(entry(row, index));
      else chunk(Math.floor(index / CHUNK));
    }
    space.replaceChildren(...nodes);
    const here = nodes.find((node) => node.dataset.index === String(active));
    if (here) list.setAttribute("aria-activedescendant", here.id);
    else list.removeAttribute("aria-activedescendant");
  }

  function entry(row, index) {
    const verdicts = row.verdicts.filter((each) => !row.word.includes(each));
    const item = make("div", "ek-entry", make("span", "ek-kindword", joined([recordOf(row.seq), row.word, ...verdicts, row.found], " · ")),
      make("span", "ek-entry-label", row.label || "–"));
    item.id = `${stem}-${index}`;
    item.dataset.index = String(index);
    item.setAttribute("role", "option");
    item.setAttribute("aria-setsize", String(size));
    item.setAttribute("aria-posinset", String(index + 1));
    item.setAttribute("aria-selected", String(row.seq === desk.cursor));
    item.classList.toggle("ek-on", litSeqs.has(row.seq));
    item.classList.toggle("ek-active", index === active);
    item.style.top = `${index * ROW}px`;
    item.style.paddingLeft = `${10 + Math.min(row.depth ?? 0, 8) * 9}px`;
    item.addEventListener("click", () => { active = index; desk.go(row.seq); });
    return item;
  }
  const stem = uniqueName("row");

  function move(index) {
    moves += 1;
    active = Math.max(0, Math.min(size - 1, index));
    const top = active * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    paint();
  }

  list.addEventListener("scroll", paint);
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const to = {
      ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: size - 1,
    }[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter" || event.key === " ") { const row = rowAt(active); if (row) desk.go(row.seq); } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  let pause = 0;
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => { asked.query = search.value; restart(); }, 120);
  });
  search.addEventListener("keydown", async (event) => {
    if (event.key === "Enter") {
      clearTimeout(pause);
      if (asked.query !== search.value) asked.query = search.value;
      const rows = await restart();
      if (rows?.length) desk.go(rows[0].seq);
      else if (rows) desk.say("No record matches; the cursor stays.");
    } else if (event.key === "Escape" && search.value) {
      search.value = asked.query = "";
      restart();
      event.stopPropagation();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      list.focus();
    }
  });

  /** Scrolls to the row of the record under the cursor, if it is among those that are listed. */
  async function follow() {
    const seq = desk.cursor, mine = (moves += 1);
    paint();
    const at = seq === null ? -1 : await placeOf(seq);
    if (at >= 0 && mine === moves) move(at); // unless the reader moved on in the meantime
  }
  desk.on("cursor", follow);
  desk.on("shown", () => {
    litSeqs = new Set(desk.shown?.lit?.boxes ?? []);
    paint();
  });
  litSeqs = new Set(desk.shown?.lit?.boxes ?? []);
  return { panel, start: () => restart().then(follow), resized: paint, search, close: () => clearTimeout(pause) };
}
