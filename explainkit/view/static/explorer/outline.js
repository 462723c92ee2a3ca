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
  let chunks = new Map(), size = 0, turn = 0, active = 0, litSeqs = new Set();

  for (const [name, words] of [["kinds", "any kind"], ["grades", "any grade"], ["verdicts", "any verdict"]]) {
    const known = desk.scene.legend?.[name] ?? [];
    if (known.length < 2) continue;
    const options = [["", words], ...known.map((each) => (typeof each === "string" ? [each, each] : [each[0], name === "kinds" ? each[1] : each[0]]))];
    filters.append(chooser(`Show records of ${words}`, options, "", (value) => {
      asked[name] = value ? [value] : [];
      restart();
    }));
  }

  async function chunk(number) {
    const mine = turn;
    if (chunks.has(number)) return chunks.get(number);
    chunks.set(number, null);
    const answer = await desk.ask("rows", { ...asked, start: number * CHUNK, count: CHUNK });
    if (mine !== turn) return null;
    if (!answer) {
      chunks.delete(number);
      return null;
    }
    chunks.set(number, answer.rows);
    size = answer.total;
    const note = answer.note ? ` · ${answer.note}` : "";
    total.replaceChildren((size === answer.of ? counted(size, "record") : `${size.toLocaleString("en")} of ${counted(answer.of, "record")}`) + note);
    paint();
    return answer.rows;
  }

  function restart() {
    turn += 1;
    chunks = new Map();
    active = 0;
    list.scrollTop = 0;
    return chunk(0);
  }

  const rowAt = (index) => chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];

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
    const item = make("div", "ek-entry", make("span", "ek-kindword", [row.word, ...row.verdicts.filter((each) => !row.word.includes(each)), row.found].filter(Boolean).join(" · ")), make("span", "ek-entry-label", row.label || "–"));
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
    active = Math.max(0, Math.min(size - 1, index));
    const top = active * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
    paint();
  }

  list.addEventListener("scroll", paint);
  list.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: size - 1 }[event.key];
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

  /** Scrolls to the record under the cursor when its row is known. */
  function follow() {
    for (const [number, rows] of chunks) {
      const at = rows?.findIndex((row) => row.seq === desk.cursor) ?? -1;
      if (at >= 0) return move(number * CHUNK + at);
    }
    return paint();
  }
  desk.on("cursor", follow);
  desk.on("shown", () => {
    litSeqs = new Set(desk.shown?.lit?.boxes ?? []);
    paint();
  });
  litSeqs = new Set(desk.shown?.lit?.boxes ?? []);
  return { panel, start: () => restart().then(follow), resized: paint, search, close: () => clearTimeout(pause) };
}
