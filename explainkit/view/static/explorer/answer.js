// The answer as a strip of words to select from: by mouse, by double click, or by keyboard.
function answerStrip(desk) {
  const strip = make("div", "ek-strip");
  const caret = make("span", "ek-caret");
  caret.hidden = true;
  caret.setAttribute("aria-hidden", "true");
  const text = make("div", "ek-strip-text");
  const more = make("p", "ek-tools");
  strip.append(text, caret);
  text.tabIndex = 0;
  text.dir = "auto";
  text.setAttribute("role", "textbox");
  text.setAttribute("aria-readonly", "true");
  text.setAttribute("aria-multiline", "true");
  text.setAttribute("aria-label",
    "The answer. Select words with Shift and the arrow keys, then press Enter to walk back from them.");
  let stretches = new Stretches(), dragging = false;

  function fill(pieces) {
    for (const [words, start, length, mark, left, behind] of pieces) {
      if (left) text.append(unselectable(skipped(left)));
      if (!words) continue;
      const node = recorded(words, behind);
      stretches.add(node, start, length);
      text.append(MARKS[mark] ? make(MARKS[mark], `ek-mark-${mark}`, node) : node);
    }
  }

  function showMore(next) {
    more.replaceChildren();
    if (next === null || next === undefined) return;
    more.append(button("Show more of the answer", async () => {
      const { slot, version } = desk.shown.at;
      const part = await desk.ask("answer", { slot, version, start: next });
      if (!part) return;
      text.lastElementChild?.matches(".ek-skipped") && text.lastElementChild.remove();
      fill(part.strip);
      showMore(part.next);
    }));
  }

  /** The selection, when all of it lies in the strip; what sticks out of it is cut off. */
  function selected() {
    const selection = selectionNear(text);
    if (!selection.rangeCount) return null;
    const range = selection.getRangeAt(0).cloneRange();
    if (!range.intersectsNode(text)) return null;
    const all = document.createRange();
    all.selectNodeContents(text);
    if (range.compareBoundaryPoints(Range.START_TO_START, all) < 0) range.setStart(all.startContainer, all.startOffset);
    if (range.compareBoundaryPoints(Range.END_TO_END, all) > 0) range.setEnd(all.endContainer, all.endOffset);
    return stretches.stretchOf(range);
  }

  function walkSelected(found) {
    if (found) desk.walk({ start: found[0], end: found[1] });
    else desk.say("No words are selected.");
  }

  /** A double click takes the space after a word along on some systems; the word alone is meant. */
  function trimmed(found) {
    const words = [...stretches.words(found)];
    let [start, end] = found;
    if (words.length !== end - start) return found;
    while (words.length && !words.at(-1).trim()) { words.pop(); end -= 1; }
    while (words.length && !words[0].trim()) { words.shift(); start += 1; }
    return end > start ? [start, end] : found;
  }

  function released(event) {
    if (!dragging) return;
    dragging = false;
    // The browser completes the selection of a click after this event.
    setTimeout(() => {
      const found = selected();
      if (found) walkSelected(event.detail === 2 ? trimmed(found) : found);
      place();
    });
  }

  // ---- keys: a `div` selects nothing by itself, so the selection is moved from here ------------
  function place() {
    const selection = selectionNear(text);
    caret.hidden = focusedNear(text) !== text || !selection.focusNode || !text.contains(selection.focusNode);
    if (caret.hidden) return;
    const range = document.createRange();
    range.setStart(selection.focusNode, selection.focusOffset);
    const box = range.getClientRects()[0] ?? text.getBoundingClientRect(), around = strip.getBoundingClientRect();
    caret.style.left = `${box.left - around.left}px`;
    caret.style.top = `${box.top - around.top}px`;
    caret.style.height = `${Math.min(box.height, 28)}px`;
  }

  function putCaret(point) {
    const boundary = stretches.boundaryOf(point);
    if (boundary) selectionNear(text).collapse(...boundary);
    place();
  }

  function move(event) {
    const selection = selectionNear(text);
    if (!selection.focusNode || !text.contains(selection.focusNode)) putCaret(desk.shown?.at?.start ?? 0);
    const held = [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
    const [direction, unit] = MOVES[event.key];
    const jump = event.ctrlKey || event.metaKey || event.altKey;
    const far = unit === "character" ? "word" : unit === "lineboundary" ? "documentboundary" : unit;
    if (jump && far === "documentboundary") toEnd(selection, event);
    else selection.modify(event.shiftKey ? "extend" : "move", direction, jump ? far : unit);
    if (!selection.focusNode || !text.contains(selection.focusNode)) selection.setBaseAndExtent(...held);
    place();
    const found = selected();
    if (!found) return;
    const size = counted(found[1] - found[0], "character");
    desk.say(`${size} selected: “${stretches.words(found)}”. Enter walks back from them.`);
  }

  function toEnd(selection, event) {
    const parts = stretches.parts;
    const boundary = event.key === "Home" ? [parts[0].node, 0] : [parts.at(-1).node, parts.at(-1).node.data.length];
    if (event.shiftKey) selection.extend(...boundary);
    else selection.collapse(...boundary);
  }

  text.addEventListener("keydown", (event) => {
    if (MOVES[event.key]) {
      move(event);
    } else if (event.key === "Enter") {
      walkSelected(selected());
    } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      selectionNear(text).selectAllChildren(text);
    } else if (event.key === "Escape" && selected()) {
      selectionNear(text).collapseToEnd();
      place();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  text.addEventListener("focus", place);
  text.addEventListener("blur", place);
  text.addEventListener("pointerdown", () => { dragging = true; });
  document.addEventListener("mouseup", released);
  let told = () => {};
  const changed = () => told(Boolean(selected()));
  document.addEventListener("selectionchange", changed);

  return {
    nodes: [strip, more],
    walk: () => walkSelected(selected()),
    onSelected: (act) => { told = act; },
    show(shown) {
      const focused = focusedNear(text) === text;
      text.replaceChildren();
      stretches = new Stretches();
      fill(shown.strip ?? []);
      const empty = shown.at?.version > 0 && shown.size === 0 ? "The answer is an empty text." : "There are no words of an answer to select.";
      if (!stretches.parts.length) text.append(make("i", "ek-note", empty));
      showMore(shown.next);
      if (focused && shown.at?.end) putCaret(shown.at.end);
      else place();
    },
    close() {
      document.removeEventListener("mouseup", released);
      document.removeEventListener("selectionchange", changed);
    },
  };
}

const MOVES = {
  ArrowLeft: ["left", "character"], ArrowRight: ["right", "character"],
  ArrowUp: ["backward", "line"], ArrowDown: ["forward", "line"],
  Home: ["backward", "lineboundary"], End: ["forward", "lineboundary"],
};

function unselectable(element) {
  element.classList.add("ek-unselectable");
  return element;
}
