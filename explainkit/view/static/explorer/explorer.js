// Puts the panels together for one host and keeps keys, widths and themes of the notebook apart.
function mount(el, hostOf) {
  // No typesetter is to read recorded text as mathematics.
  const root = make("div", "ek-explorer tex2jax_ignore mathjax_ignore");
  const status = make("p", "ek-status"), live = make("span", "ek-status-words");
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", "Explorer of a run");
  root.dataset.lmSuppressShortcuts = "true"; // JupyterLab's shortcuts that are caught before us
  status.setAttribute("role", "status");
  status.setAttribute("aria-live", "polite");
  status.append(live);
  const desk = new Desk(hostOf);
  status.classList.add("ek-quiet");
  desk.on("said", (words) => {
    live.replaceChildren(...parted(words));
    status.classList.remove("ek-quiet");
  });

  const inspector = inspectorPanel(desk), outline = outlinePanel(desk);
  const graph = graphPanel(desk, { toInspector: () => inspector.panel.focus() });
  const asked = askedPanels(desk), walked = walkPanels(desk);
  const whatIf = whatIfPanel(desk), beside = besidePanel(desk);
  const tabs = tabPanel(desk, [asked.story, whatIf, bisectPanel(desk), beside, walked.changes, walked.verdicts, walked.custody, walked.support,
    asked.timeline, asked.machine, asked.tree, asked.ladder, walked.unused]);
  const top = [headPanel(desk), answerPanel(desk)];
  const trail = trailPanel(desk), prompt = promptPanel(desk);
  const suspects = suspectPanel(desk, (tried) => { whatIf.propose(tried); tabs.open("whatif"); });
  desk.on("compare", (seq) => { beside.load(seq); tabs.open("beside"); });
  desk.on("found", () => tabs.show(desk.shown));
  desk.on("gone", () => hideButtons(el));
  sayTried(desk);
  const footer = footerPanel(desk);
  const columns = make("div", "ek-columns", ...trail.nodes, ...prompt.nodes);
  const section = make("section", "ek-section", graph.head,
    make("div", "ek-graph", outline.panel, graph.pane, inspector.panel), legend(desk));
  section.setAttribute("aria-label", "Graph");
  root.append(...top.flatMap((each) => each.nodes), columns, ...suspects.nodes, section, ...tabs.nodes, ...footer.nodes, status);

  const panels = [...top, trail, prompt, suspects, tabs, footer];
  const show = () => {
    for (const panel of panels) panel.show(desk.shown);
    columns.classList.toggle("ek-single", !desk.shown.prompt);
  };
  desk.on("shown", show);

  const keys = (event) => {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      outline.search.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (typing) graph.pane.querySelector(".ek-node[tabindex='0']")?.focus();
      else desk.back();
    } else if (event.key === "Home" && !typing && !graph.pane.contains(event.target)) {
      event.preventDefault();
      desk.home();
    }
    event.stopPropagation();
  };
  root.addEventListener("keydown", keys);
  for (const kind of ["keyup", "keypress"]) root.addEventListener(kind, (event) => event.stopPropagation());

  copyExactly(root);
  const letGo = followTheme(root), release = keepFocus(root);
  let boards = null;
  const sizes = new ResizeObserver(() => {
    boards ??= foldBoards(el); // not before we stand in the document
    const width = root.clientWidth;
    root.dataset.width = width < 720 ? "narrow" : width < 1080 ? "middle" : "wide";
    graph.resized();
    outline.resized();
  });
  el.append(root);
  sizes.observe(root);
  // What is asked first is answered first: the graph does not wait for the panels below it.
  outline.start();
  desk.start();
  show();
  graph.build();
  inspector.show();
  return () => {
    sizes.disconnect();
    letGo();
    release();
    top[1].close();
    tabs.close();
    outline.close();
    desk.host.close();
    root.remove();
    for (const board of boards ?? []) board.open = true;
    setTimeout(() => toBoard(boards?.[0]));
  };
}

/** The button of the kernel beside us closes nothing any more; who stood on it reads on in the canvas. */
function hideButtons(el) {
  const buttons = [...(el.closest(".widget-vbox")?.querySelectorAll(":scope > button.jupyter-button") ?? [])];
  const held = buttons.includes(document.activeElement);
  for (const each of buttons) each.style.display = "none"; // its class sets display, which hidden does not undo
  if (held) el.querySelector(".ek-strip-text")?.focus();
}

/** Who closed us with the keyboard reads on in the board: the button went with us. */
function toBoard(board) {
  const active = document.activeElement;
  if (board?.isConnected && (!active || active === document.body)) board.querySelector("summary")?.focus({ preventScroll: true });
}

/** Folds the static boards of the same cell, which say the same, while the explorer is there. */
function foldBoards(el) {
  const boards = [...(el.closest(".jp-OutputArea")?.querySelectorAll("details.ek-static") ?? [])];
  for (const board of boards) board.open = false;
  return boards;
}

/** What the reader has to know of what is not here. */
function footerPanel(desk) {
  const list = make("ul", "ek-footer");
  return {
    nodes: [list],
    show(shown) {
      const lines = [...new Set([...(shown.footer ?? []), ...(desk.scene.missing ?? [])])];
      list.hidden = !lines.length;
      list.replaceChildren(...lines.map((line) => make("li", "", line)));
    },
  };
}

/** The theme of the notebook around us, else what the reader's system prefers. */
function followTheme(root) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => { root.dataset.theme = isDark(dark.matches) ? "dark" : "light"; };
  const watch = new MutationObserver(tell);
  const filter = { attributes: true, attributeFilter: ["class", "theme", "data-theme", "data-jp-theme-light"] };
  watch.observe(document.body, filter);
  watch.observe(document.documentElement, filter);
  dark.addEventListener("change", tell);
  tell();
  return () => {
    watch.disconnect();
    dark.removeEventListener("change", tell);
  };
}

function isDark(preferred) {
  const { body, documentElement: html } = document;
  if (body.dataset.jpThemeLight !== undefined) return body.dataset.jpThemeLight === "false";
  if (body.matches(".vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)")) return true;
  if (body.matches(".vscode-light, .vscode-high-contrast-light")) return false;
  for (const element of [html, body]) { // Colab, marimo
    const named = element.getAttribute("theme") ?? element.dataset.theme;
    if (named === "dark" || element.classList.contains("dark")) return true;
    if (named === "light" || element.classList.contains("light")) return false;
  }
  return preferred;
}

export default {
  render({ model, el }) {
    return mount(el, (say) => kernelHost(model, say));
  },
};
