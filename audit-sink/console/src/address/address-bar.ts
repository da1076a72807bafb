import { formatView, parseView, type View } from "./view.js";

/** Called with the view that is shown from now on, and the one before. */
export type ViewListener = (view: View, before: View) => void;

/** The current view, kept in the address of the page, so that Back, Forward, bookmarks and links work. */
export class AddressBar {
  readonly #listener: ViewListener;
  #view = parseView(location.hash);

  constructor(listener: ViewListener) {
    this.#listener = listener;
    window.addEventListener("popstate", () => this.#show(parseView(location.hash)));
  }

  get view(): View {
    return this.#view;
  }

  /** Goes to another view. `replace` leaves no step for Back, as for going from one event to the next. */
  go(change: Partial<View>, { replace = false } = {}): void {
    const view = { ...this.#view, ...change };
    const fragment = formatView(view);
    if (fragment !== formatView(this.#view)) {
      history[replace ? "replaceState" : "pushState"](null, "", fragment === "#" ? location.pathname : fragment);
    }
    this.#show(view);
  }

  #show(view: View): void {
    const before = this.#view;
    this.#view = view;
    this.#listener(view, before);
  }
}
