/**
 * Makes a button open and close a panel beside it. The panel closes by Escape, by a click elsewhere, and when the focus
 * leaves it. Returns a function that closes it.
 */
export function attachMenu(button: HTMLElement, panel: HTMLElement, onOpen: () => void = () => {}): () => void {
  function set(isOpen: boolean): void {
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }
  function close(): void {
    if (!panel.hidden) {
      const hadFocus = panel.contains(document.activeElement);
      set(false);
      if (hadFocus) {
        button.focus();
      }
    }
  }
  set(false);
  button.addEventListener("click", () => {
    if (panel.hidden) {
      onOpen();
      set(true);
      panel.querySelector<HTMLElement>("button, input, a")?.focus();
    } else {
      close();
    }
  });
  for (const each of [button, panel]) {
    each.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !panel.hidden) {
        event.stopPropagation();
        close();
      }
    });
  }
  panel.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !panel.contains(relatedTarget) && !button.contains(relatedTarget)) {
      set(false);
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !panel.contains(target) && !button.contains(target)) {
      set(false);
    }
  });
  return close;
}
