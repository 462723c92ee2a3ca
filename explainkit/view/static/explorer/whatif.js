// What if: tick pieces off, put them back or edit them, run it again, and read the word with its numbers.
const GROUPS = [
  ["context", "Contexts: untick what shall be gone"], ["left out", "Left out: tick what shall come back"],
  ["override", "Overrides: untick what shall be held off"], ["result", "Results of steps"], ["event", "Events that arrived"],
];

/** What is heard after the name of a piece, since one name may stand in several groups. */
const HEARD = { "left out": ", left out", override: ", an override", result: ", a step", event: ", an event" };

/** The changes that a reader has made, by the piece or the part of it that they touch. */
class Changes {
  constructor() { this.made = new Map(); this.heard = []; }
  get list() { return [...this.made.values()].map(({ words: _, ...change }) => change); }
  has(key) { return this.made.has(key); }
  textOf(key) { return this.made.get(key)?.text; }
  put(key, change) { this.made.set(key, change); this.tell(); }
  drop(key) { if (this.made.delete(key)) this.tell(); }
  clear() { this.made.clear(); this.tell(); }
  tell() { for (const act of this.heard) act(); }
  /** Calls a function after each change, for as long as an element stays in the document. */
  onWhile(element, act) {
    const heard = () => {
      if (element.isConnected) act();
      else this.heard = this.heard.filter((each) => each !== heard);
    };
    this.heard.push(heard);
  }
  /** A piece that goes as a whole is not edited too. */
  dropParts(seq) { for (const key of [...this.made.keys()]) if (key.startsWith(`${seq}/`)) this.made.delete(key); }
}

/** The name under which a change is kept: the piece, or the part of it. */
const keyOf = ({ seq, position, path }) =>
  Number.isInteger(position) ? `${seq}/item/${position}` : path ? `${seq}/part${path}` : String(seq);

function whatIfPanel(desk) {
  const changes = new Changes(), host = make("div", "ek-whatif");
  const state = { slot: null, offered: null, edited: null, load: () => {} };
  const open = () => {
    if (!host.hasChildNodes()) host.append(...whatIfNodes(desk, changes, state));
    return [host];
  };
  return {
    key: "whatif", title: "What if", size: () => (desk.scene.panels ?? []).includes("whatif"), of: open,
    /** Takes what can be tried of a suspect: its changes, or the piece whose text is to be edited. */
    propose(tried) {
      if (!tried) return;
      changes.clear();
      for (const change of tried.changes) changes.put(keyOf(change), change);
      state.edited = tried.edit;
      state.load();
    },
  };
}

function whatIfNodes(desk, changes, state) {
  const why = make("pre", "ek-refusal"), list = make("div", "ek-pieces"), note = make("p", "ek-note");
  const find = searchBox("Search pieces", () => load(find.value));
  const body = make("div", "ek-sides ek-whatif-sides");
  const run = runBox(desk, changes, state);
  const results = stampList(desk);
  body.append(make("div", "", make("div", "ek-tools ek-start", find), list, note), make("div", "", ...run.nodes, ...results.nodes));

  let turn = 0;
  async function load(query = "") {
    const slot = desk.shown?.at?.slot ?? "answer", edited = state.edited, mine = (turn += 1);
    const offered = await desk.ask("offered", { slot, query, ...(edited === null ? {} : { seq: edited }) });
    if (!offered || mine !== turn) return;
    state.edited = null;
    [state.slot, state.offered] = [slot, offered];
    why.hidden = !offered.refusal;
    why.replaceChildren(offered.refusal ?? "");
    for (const each of [find, list, note]) each.hidden = !offered.kernel;
    body.classList.toggle("ek-single", !offered.kernel);
    if (offered.refusal) changes.clear();
    const rows = offered.refusal ? offered.rows.map((row) => ({ ...row, edit: false })) : offered.rows;
    list.replaceChildren(...groupsOf(desk, rows, changes, edited));
    if (offered.refusal) for (const box of list.querySelectorAll("input")) box.disabled = true;
    note.replaceChildren(offered.note || (offered.rows.length || !offered.kernel ? "" : "No piece matches."));
    run.show();
  }
  state.load = () => load(find.value);
  desk.on("shown", () => { if ((desk.shown?.at?.slot ?? "answer") !== state.slot) load(find.value); else run.show(); });
  load();
  return [why, body];
}

function searchBox(label, act) {
  const find = make("input", "ek-find");
  find.type = "search";
  find.placeholder = label;
  find.setAttribute("aria-label", label);
  let timer = 0;
  find.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(act, 200); });
  return find;
}

/** The pieces in their groups; the text of one of them is opened at once when it is to be edited. */
function groupsOf(desk, rows, changes, edited) {
  return GROUPS.map(([group, title]) => {
    const those = rows.filter((row) => row.group === group);
    return section(title, those.map((row) => pieceRow(desk, row, changes, row.seq === edited)), "ek-group");
  }).filter(Boolean);
}

/** A piece with its tick box: ticked means that the re-run has it. */
function pieceRow(desk, row, changes, edited = false) {
  const key = String(row.seq), item = make("div", "ek-piece");
  const name = make("span", "ek-name", row.name), word = make("span", "ek-note", row.word ? ` ${row.word} ` : " ");
  const text = make("span", "ek-piece-text", row.text);
  const head = make(row.verb ? "label" : "div", "ek-piece-head");
  const editor = make("div", "ek-editor");
  editor.hidden = true;
  if (row.verb) {
    const box = make("input", "ek-tick");
    box.type = "checkbox";
    const restores = row.verb === "restore";
    const show = () => {
      const gone = changes.has(key);
      box.checked = gone === restores;
      item.classList.toggle("ek-changed", gone);
      if (gone && !restores) editor.hidden = true;
    };
    box.addEventListener("change", () => {
      if (box.checked === restores) {
        changes.dropParts(key);
        changes.put(key, { verb: row.verb, seq: row.seq });
      } else changes.drop(key);
    });
    changes.onWhile(item, show);
    show();
    head.append(box);
  }
  head.append(make("span", "", name, word, text));
  const tools = make("span", "ek-tools ek-piece-tools");
  const edit = row.edit ? editButton(desk, row, changes, editor) : null;
  if (edit) tools.append(edit);
  tools.append(button(named("Show", ` the record of ${row.name}${HEARD[row.group] ?? ""}`), () => desk.go(row.seq)));
  item.append(head, tools, editor);
  if (edit && edited) edit.click();
  return item;
}

function editButton(desk, row, changes, editor) {
  const open = button(named("Edit", ` the text of ${row.name}${HEARD[row.group] ?? ""}`), async () => {
    const shown = editor.hidden;
    if (shown && !editor.hasChildNodes()) {
      const piece = await desk.ask("piece", { seq: row.seq });
      if (!piece) return;
      editor.append(...editorNodes(desk, piece, changes));
    }
    editor.hidden = !shown;
    open.setAttribute("aria-expanded", String(shown));
    if (shown) editor.querySelector("textarea, input")?.focus();
  });
  open.setAttribute("aria-expanded", "false");
  return open;
}

/** Boxes for the texts and numbers of a piece, and tick boxes for the items of a list. */
function editorNodes(desk, piece, changes) {
  const items = piece.items.map(({ position, text }) => {
    const box = make("input", "ek-tick"), key = `${piece.seq}/item/${position}`;
    box.type = "checkbox";
    box.checked = !changes.has(key);
    box.addEventListener("change", () => {
      if (box.checked) changes.drop(key);
      else changes.put(key, { verb: "remove", seq: piece.seq, position });
    });
    changes.onWhile(box, () => { box.checked = !changes.has(key); });
    return make("label", "ek-piece-head", box, make("span", "ek-piece-text", `item ${position + 1}: ${text}`));
  });
  const boxes = piece.leaves.map((leaf) => leafBox(desk, piece.seq, leaf, changes));
  return [...items, ...boxes, piece.note ? make("p", "ek-note", piece.note) : null].filter(Boolean);
}

function leafBox(desk, seq, leaf, changes) {
  const key = `${seq}/leaf${leaf.path}`, said = make("span", "ek-note");
  const box = make(leaf.number ? "input" : "textarea", "ek-edit-box");
  box.value = changes.textOf(key) ?? leaf.text;
  box.spellcheck = false;
  if (leaf.number) box.inputMode = "decimal";
  else box.rows = Math.min(8, Math.max(2, Math.ceil(leaf.text.length / 60) + leaf.text.split("\n").length - 1));
  const label = make("label", "ek-leaf", make("span", "ek-label", leaf.label || (leaf.number ? "Number" : "Text")), box, said);
  const tell = () => { said.replaceChildren(leaf.left ? `${counted(leaf.left, "more character")} after these stay as they are.` : ""); };
  let turn = 0;
  box.addEventListener("input", async () => {
    const mine = (turn += 1);
    if (box.value === leaf.text) {
      changes.drop(key);
      return tell();
    }
    const change = { verb: "replace", seq, path: leaf.path, text: box.value };
    const meant = await desk.ask("meant", { changes: [change] });
    if (mine !== turn) return undefined;
    if (meant) changes.put(key, change);
    else changes.drop(key);
    return said.replaceChildren(meant ? meant.said[0] : "This is no change yet; the line below says why.");
  });
  changes.onWhile(box, () => {
    if (changes.has(key) || box === focusedNear(box)) return;
    box.value = leaf.text;
    tell();
  });
  tell();
  return label;
}
