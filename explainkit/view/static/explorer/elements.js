// Small builders. Recorded words reach the document as text nodes only: nothing here takes markup.
const SVG = "http://www.w3.org/2000/svg";

/** An element with a class of our own and, as its text, words of any origin. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  const shown = children.filter((child) => child !== null && child !== undefined);
  element.append(...shown.flatMap((child) => (typeof child === "string" ? parted(child) : child)));
  return element;
}

const RIGHT_TO_LEFT = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const APART = "A-Za-z“”,;:()·←>|"; // what ends a name in a sentence of ours, unless the name is quoted
const RUNS = new RegExp(`((?<=“)[^“”]*[${RIGHT_TO_LEFT}][^“”]*(?=”)|[${RIGHT_TO_LEFT}](?:[^${APART}]*[${RIGHT_TO_LEFT}])?[^${APART}\\s]*)`, "u");

/** A sentence of ours, each name in it that is written from right to left by itself, so that it reorders nothing. */
function parted(sentence) {
  const parts = sentence.split(RUNS);
  if (parts.length === 1) return parts;
  return parts.map((part, at) => (at % 2 ? isolatedName(part) : part)).filter(Boolean);
}

function isolatedName(words) {
  const element = document.createElement("bdi");
  element.textContent = words;
  return element;
}

/** A text that scrolls: keys reach it, and it is heard by the title that stands above it. */
function reachable(box, title) {
  title.id ||= uniqueName("title");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-labelledby", title.id);
  return box;
}

/** An SVG element with attributes of our own. */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button; `label` is only ever our own words. */
function button(words, act, { className = "", label = "" } = {}) {
  const element = make("button", className, words);
  element.type = "button";
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", act);
  return element;
}

/** Some hosts show us in a shadow tree, which has a selection and a focus of its own. */
function selectionNear(element) {
  const root = element.getRootNode();
  return root.getSelection ? root.getSelection() : document.getSelection();
}
const focusedNear = (element) => element.getRootNode().activeElement ?? null;

/** A list to choose from: `[value, words]` each; values are our own numbers and names. */
function chooser(label, options, chosen, act) {
  const element = make("select", "ek-choose");
  element.setAttribute("aria-label", label);
  for (const [value, words] of options) {
    const option = make("option", "", words);
    option.value = String(value);
    option.selected = String(value) === String(chosen);
    element.append(option);
  }
  element.addEventListener("change", () => act(element.value));
  return element;
}

/** The number under which every panel names a record. */
const recordOf = (seq) => `record ${seq}`;

const counted = (number, one, many) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many ?? `${one}s`}`;

const sum = (numbers) => numbers.reduce((before, each) => before + each, 0);

/** Those of some words that there are, joined. */
const joined = (words, sign = ", ") => words.filter(Boolean).join(sign);

const GRADES = ["declared", "value", "exposure", "order"];

/** The word of a grade in the line style of its arrows. */
function badge(grade) {
  return make("span", `ek-grade ek-${GRADES.includes(grade) ? grade : "order"}`, grade);
}

const MARKS = { span: "mark", missing: "u", added: "ins", removed: "del" };

/** One marked stretch; the tag says the mark where no style does. */
function marked(text, mark, behind) {
  const node = recorded(text, behind);
  return MARKS[mark] ? make(MARKS[mark], `ek-mark-${mark}`, node) : node;
}

const skipped = (count) => make("i", "ek-skipped", ` … ${counted(count, "more character")} … `);

const tint = (origin) => `ek-tint${(origin - 1) % 5}`;

/** Characters between two stretches of one origin that need no second number. */
const GLUE = 40;

/** Pieces `[text, mark, skipped, origin, code points behind symbols]` as nodes; stretches of one origin share a tinted span or at least its number. */
function pieceNodes(pieces) {
  const nodes = [];
  let holder = null, origin = 0, between = 0;
  for (const [text, mark, left, from = 0, behind] of pieces) {
    if (left) {
      nodes.push(skipped(left));
      between = Infinity;
    }
    if (!text) continue;
    if (!from) {
      nodes.push(marked(text, mark, behind));
      between += text.length;
      holder = null;
      continue;
    }
    if (!holder || from !== origin || left) {
      const goesOn = from === origin && between <= GLUE;
      holder = make("span", tint(from), ...(goesOn ? [] : [make("sup", "", String(from))]));
      origin = from;
      nodes.push(holder);
    }
    between = 0;
    holder.append(marked(text, mark, behind));
  }
  return nodes;
}

/** A quoted stretch. */
const quote = (pieces, className = "ek-quote") => make("span", className, ...pieceNodes(pieces));

/** The origins of a prompt as a key; those beyond eight are one click away. */
function originKey(origins, go) {
  const entry = ({ number, name, grade, seq }) => {
    const swatch = make("span", tint(number), `${number} `, make("bdi", "", name));
    const known = Number.isInteger(seq);
    const words = known ? button(swatch, () => go(seq), { className: "ek-plain" }) : swatch;
    return make("span", "ek-origin", words, " ", make("span", "ek-note", grade));
  };
  const shown = make("div", "ek-origins", ...origins.slice(0, 8).map(entry));
  if (origins.length <= 8) return [shown];
  const more = make("details", "ek-more");
  more.append(
    make("summary", "", counted(origins.length - 8, "more origin")),
    make("div", "ek-origins", ...origins.slice(8).map(entry)),
  );
  return [shown, more];
}

/** Words before or after a change below their title; an empty text is said. */
function changeSide(title, pieces, { mark = null, none = "nothing" } = {}) {
  const label = make("div", "ek-label", title, mark);
  const box = make("div", "ek-diff", ...(pieces.length ? pieceNodes(pieces) : [make("i", "ek-skipped", none)]));
  return make("div", "ek-side", label, reachable(box, label));
}

/** A heading with what follows it; nothing when nothing follows. */
function section(title, nodes, className = "ek-section") {
  if (!nodes.length) return null;
  return make("section", className, make("h3", "ek-heading", title), ...nodes);
}

let serial = 0;
/** A name for an id that no other explorer in the document has. */
const uniqueName = (stem) => `ek-${stem}-${PAGE_KEY}-${(serial += 1)}`;
const PAGE_KEY = Math.floor(Math.random() * 2 ** 40).toString(36);
