// What is copied is what was recorded: symbols of invisible characters are for the eye only.
const SYMBOL = /[\u2400-\u241f\u2421\u2424\u2300\u21c4\ufffd]/gu;
const BEHIND = new WeakMap();

/** A text node of recorded words; `behind` holds the code points that its symbols stand for, in order. */
function recorded(text, behind) {
  const node = document.createTextNode(text);
  if (behind?.length) BEHIND.set(node, String.fromCodePoint(...behind));
  return node;
}

/** The characters behind the symbols of a range, in order; a symbol of a text without any is itself. */
function behindSymbols(range, root) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!range.intersectsNode(node) || !isCopied(node.parentElement)) continue;
    const low = node === range.startContainer ? range.startOffset : 0;
    const high = node === range.endContainer ? range.endOffset : node.data.length;
    const own = [...(BEHIND.get(node) ?? "")];
    [...node.data.matchAll(SYMBOL)].forEach((match, at) => {
      if (match.index >= low && match.index < high) found.push(own[at] ?? match[0]);
    });
  }
  return found;
}

const isCopied = (element) => element.checkVisibility() && getComputedStyle(element).userSelect !== "none";

/** Selected words with the recorded characters in place of symbols; null where no symbol stands for another. */
function exactWords(root) {
  const selection = selectionNear(root);
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const shown = selection.toString();
  const behind = behindSymbols(selection.getRangeAt(0), root);
  const symbols = shown.match(SYMBOL) ?? [];
  if (behind.length !== symbols.length || behind.every((each, at) => each === symbols[at])) return null;
  let at = 0;
  return shown.replace(SYMBOL, () => behind[at++]);
}

/** Puts the recorded characters on the clipboard, as plain text, whenever words of `root` are copied. */
function copyExactly(root) {
  root.addEventListener("copy", (event) => {
    if (event.target.matches?.("input, textarea")) return;
    const words = exactWords(root);
    if (words === null) return;
    event.clipboardData.setData("text/plain", words);
    event.preventDefault();
  });
}
