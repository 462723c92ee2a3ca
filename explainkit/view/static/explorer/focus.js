// The keyboard's focus stays in the explorer: where what has it goes away, what stands next takes it.
const FOCUSABLE = "button, input, select, textarea, summary, [tabindex='0']";

function keepFocus(root) {
  let last = null, around = []; // what has the focus, and what it stands in, the nearest first
  const usable = (element) => element.isConnected && !element.disabled && !element.closest("[hidden]");
  const nowhere = () => {
    const active = focusedNear(root);
    return active === null || active === document.body || active === last;
  };

  const taken = (event) => {
    [last, around] = [event.target, []];
    for (let at = last.parentElement; at && at !== root; at = at.parentElement) around.push(at);
    around.push(root);
  };
  const left = (event) => {
    if (event.relatedTarget) return; // who takes it tells so, unless it lies outside of us
    setTimeout(() => { if (last && usable(last) && focusedNear(root) !== last) last = null; });
  };
  const outside = (event) => { if (!root.contains(event.target)) last = null; };

  /** The first or the next thing that can have the focus; a panel that can be read has it itself. */
  function heir() {
    const home = around.filter((each) => each.isConnected);
    const twin = [...(home[0]?.querySelectorAll(last.tagName) ?? [])].find((each) => usable(each) && alike(each, last));
    if (twin) return twin;
    for (const each of home) {
      if (!usable(each)) continue;
      if (each.hasAttribute("tabindex")) return each;
      const those = [...each.querySelectorAll(FOCUSABLE)].filter(usable);
      const next = last.isConnected
        && those.find((one) => last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (those.length) return next || (last.isConnected ? those.at(-1) : those[0]);
    }
    return null;
  }

  const watch = new MutationObserver(() => {
    if (!last || usable(last) || !nowhere()) return;
    const next = heir();
    last = null;
    next?.focus({ preventScroll: true });
  });
  watch.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
  root.addEventListener("focusin", taken);
  root.addEventListener("focusout", left);
  document.addEventListener("focusin", outside);
  return () => {
    watch.disconnect();
    document.removeEventListener("focusin", outside);
  };
}

/** Whether an element stands for the same as one that is gone, such as a list that was made anew. */
const alike = (one, other) => one.className === other.className
  && one.getAttribute("aria-label") === other.getAttribute("aria-label")
  && (one.tagName === "SELECT" || one.textContent === other.textContent);
