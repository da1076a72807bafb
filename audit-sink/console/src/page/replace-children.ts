/**
 * Replaces the children of an element. When one of them holds the focus, its successor gets it: the one with the same
 * `data-key`. So a list can be refreshed while somebody goes through it.
 */
export function replaceChildren(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const focused = document.activeElement;
  const key = parent.contains(focused) ? focused?.closest<HTMLElement>("[data-key]")?.dataset["key"] : undefined;
  parent.replaceChildren(...children);
  if (key !== undefined) {
    const successor = children.find((child) => child.dataset["key"] === key);
    successor?.querySelector<HTMLElement>("button")?.focus();
  }
}
