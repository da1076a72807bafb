import { element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";
import type { Suggestion } from "./suggest.js";

/** The list box below the filter input, as the pattern "combobox" of WAI-ARIA has it: the focus stays in the input. */
export class SuggestionList {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  #suggestions: readonly Suggestion[] = [];
  #active = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, onChoose: (suggestion: Suggestion) => void) {
    this.#input = input;
    this.#list = list;
    list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      const suggestion = this.#suggestions[option === null ? -1 : [...list.children].indexOf(option)];
      if (suggestion !== undefined) {
        onChoose(suggestion);
      }
    });
  }

  get isOpen(): boolean {
    return !this.#list.hidden;
  }

  /** The entry that the arrow keys have reached. */
  get active(): Suggestion | undefined {
    return this.#suggestions[this.#active];
  }

  get first(): Suggestion | undefined {
    return this.#suggestions[0];
  }

  show(suggestions: readonly Suggestion[]): void {
    this.#suggestions = suggestions;
    this.#list.replaceChildren(
      ...suggestions.map(({ label, help }, place) =>
        element(
          "div",
          { role: "option", id: `suggestion-${place}`, "aria-selected": "false" },
          element("span", { class: "suggestion" }, visibleText(label)),
          element("span", { class: "muted" }, help),
        ),
      ),
    );
    this.#list.hidden = suggestions.length === 0;
    this.#input.setAttribute("aria-expanded", String(suggestions.length > 0));
    this.#activate(-1);
  }

  close(): void {
    this.show([]);
  }

  /** Goes up or down, around the ends. */
  move(by: 1 | -1): void {
    const count = this.#suggestions.length;
    if (count > 0) {
      const start = this.#active < 0 && by < 0 ? 0 : this.#active;
      this.#activate((start + by + count) % count);
    }
  }

  #activate(place: number): void {
    this.#list.children[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = place;
    const option = this.#list.children[place];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) {
      this.#input.removeAttribute("aria-activedescendant");
    } else {
      this.#input.setAttribute("aria-activedescendant", option.id);
    }
  }
}
