"""How tests start a browser, and what they measure in it."""

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

CONTRAST = """(roots) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const shape = at.matches("g.ek-node") && at.querySelector(".ek-shape");
      const style = getComputedStyle(shape || at);
      const colour = parse(shape ? style.fill : style.backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const root of document.querySelectorAll(roots)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !element.getClientRects().length) continue;
      if (element.closest("script, style, title, defs")) continue;
      const style = getComputedStyle(element);
      const svg = element instanceof SVGElement;
      const outside = svg && (element.matches(".ek-flag, .ek-verb-label"));
      const back = light(ground(outside ? document.querySelector(".ek-pane") : element));
      const fore = light(parse(svg ? style.fill : style.color));
      const ratio = (Math.max(fore, back) + 0.05) / (Math.min(fore, back) + 0.05);
      if (ratio < 4.5) low.push([walker.currentNode.data.slice(0, 40), ratio.toFixed(2)]);
    }
  }
  return low;
}"""

COVERED = """() => {
  const boxes = [...document.querySelectorAll(".ek-pane .ek-node .ek-shape")];
  const words = [...document.querySelectorAll(".ek-pane :is(.ek-flag, .ek-verb-label)")];
  const apart = (a, b) => a.right <= b.left || b.right <= a.left
    || a.bottom <= b.top || b.bottom <= a.top;
  const rooms = [...words, ...boxes].map((each) => [each, each.getBoundingClientRect()]);
  const found = [];
  words.forEach((word, at) => {
    for (const [other, room] of rooms.slice(at + 1)) {
      const here = word.getBoundingClientRect();
      if (!apart(here, room)) found.push([word.textContent, other.textContent]);
    }
  });
  return found;
}"""


def low_contrast(page, roots="body"):
    """The texts below some elements that stand out by less than 4.5 to 1, with the ratio."""
    return page.evaluate(CONTRAST, roots)


def covered(page):
    """Pairs of words of a drawing, or of one and a box, that lie over each other."""
    return page.evaluate(COVERED)
