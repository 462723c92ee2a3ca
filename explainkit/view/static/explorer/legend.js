// What the drawing on screen means: every shape, line and mark that it uses, and no other.
function legend(desk) {
  const list = make("ul", "ek-legend");
  list.setAttribute("aria-label", "Shapes and lines");
  const words = new Map((desk.scene.legend?.kinds ?? []).map(([kind, word]) => [kind, word]));
  const claims = new Map(desk.scene.legend?.grades ?? []);

  function tell() {
    const { nodes = [], arrows = [] } = desk.chart, lit = desk.lit();
    const kinds = new Map(), grades = new Set();
    for (const node of nodes) if (!kinds.has(node.kind)) kinds.set(node.kind, words.get(node.kind) ?? node.word);
    for (const arrow of arrows) {
      const how = lit.arrows.get(`${arrow.source}>${arrow.target}`);
      if (arrow.route?.length) grades.add(how ? how[1] : arrow.grade);
    }
    if (kinds.has("fold")) kinds.set("fold", "folded records, counted; Enter or a click opens them");
    const ordered = [...words.keys(), ...kinds.keys()].filter((kind, at, all) => kinds.has(kind) && all.indexOf(kind) === at);
    list.replaceChildren(
      ...GRADES.filter((grade) => grades.has(grade)).map((grade) =>
        keyEntry(keyLine(gradeClass(grade)), make("b", "", grade), ` ${claims.get(grade) ?? ""}`)),
      ...ordered.map((kind) => keyEntry(keyShape(kind, kind === "lost" ? "ek-key-absent" : ""), kinds.get(kind))),
      ...(nodes.some((node) => node.absent) ? [keyEntry(keyShape("context", "ek-key-absent"), "left out")] : []),
      ...(lit.boxes.size ? [keyEntry(keyShape("", "ek-key-lit"), "on the path")] : []),
      ...(lit.origins.size ? [keyEntry(keyShape("", "ek-key-source"), "the words start here")] : []),
      ...(nodes[desk.boxOf(desk.cursor)] ? [keyEntry(keyShape("", "ek-key-selected"), "what the inspector shows")] : []),
    );
  }
  for (const event of ["chart", "lit", "cursor"]) desk.on(event, tell);
  tell();
  return list;
}

const keyEntry = (...parts) => make("li", "", ...parts);

const keyLine = (className) => draw("svg", { width: 36, height: 14, "aria-hidden": "true" },
  draw("path", { d: "M2 7H34", class: `ek-edge ${className}` }));

/** A small box of a kind; `mark` says how it is drawn. */
function keyShape(kind, mark) {
  return draw("svg", { width: 38, height: 18, viewBox: "-19 -9 38 18", "aria-hidden": "true", class: mark },
    draw("path", { d: shapeOf(kind, KEYS), class: "ek-shape" }));
}
