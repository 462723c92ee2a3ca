// From places in the document to code points of the stored answer, and back.

/** Code points before a UTF-16 offset; an offset inside of a pair counts it only when `up`. */
function pointsBefore(text, offset, up) {
  let points = 0;
  for (let at = 0; at < offset;) {
    const width = text.codePointAt(at) > 0xffff ? 2 : 1;
    if (at + width > offset && !up) break;
    at += width;
    points += 1;
  }
  return points;
}

/** UTF-16 offset of a code point. */
function unitsBefore(text, points) {
  let at = 0;
  for (let each = 0; each < points && at < text.length; each += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** The text nodes of a strip with the stretch of the stored text that each one shows. */
class Stretches {
  constructor() { this.parts = []; }

  add(node, start, length) {
    const points = pointsBefore(node.data, node.data.length, true);
    this.parts.push({ node, start, length, whole: points !== length });
  }

  /** The code point at a boundary in the document; `up` rounds away from the start of the text. */
  pointAt(container, offset, up) {
    const range = document.createRange();
    range.setStart(container, offset);
    let best = this.parts[0]?.start ?? 0;
    for (const part of this.parts) {
      if (part.node === container) {
        if (!part.whole) return part.start + pointsBefore(part.node.data, offset, up);
        const inside = offset > 0 && (up || offset >= part.node.data.length);
        return inside ? part.start + part.length : part.start;
      }
      const after = range.comparePoint(part.node, part.node.data.length) <= 0;
      if (!after) return up ? best : part.start;
      best = part.start + part.length;
    }
    return best;
  }

  /** `[start, end]` in code points of a range of the document, or null where it is empty. */
  stretchOf(range) {
    const start = this.pointAt(range.startContainer, range.startOffset, false);
    const end = this.pointAt(range.endContainer, range.endOffset, true);
    return end > start ? [start, end] : null;
  }

  /** The boundary in the document of a code point. */
  boundaryOf(point) {
    const parts = this.parts;
    const part = parts.find((each) => point <= each.start + each.length) ?? parts.at(-1);
    if (!part) return null;
    if (part.whole) return [part.node, point > part.start ? part.node.data.length : 0];
    return [part.node, unitsBefore(part.node.data, Math.max(0, point - part.start))];
  }

  /** The shown words of a stretch, for a person. */
  words([start, end]) {
    let words = "";
    for (const { node, start: first, length, whole } of this.parts) {
      const low = Math.max(start, first) - first, high = Math.min(end, first + length) - first;
      if (low >= high) continue;
      words += whole ? node.data : node.data.slice(unitsBefore(node.data, low), unitsBefore(node.data, high));
    }
    return words;
  }
}
