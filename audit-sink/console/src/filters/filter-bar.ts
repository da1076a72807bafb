import type { Filter } from "../address/view.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";
import type { ParameterError } from "../sink/api-error.js";
import { filterText, parseFilter, withFilter, withoutFilter } from "./filter-text.js";
import { type RankValues, type Suggestion, suggest } from "./suggest.js";
import { SuggestionList } from "./suggestion-list.js";

const typingPauseMs = 120;

/** The bar with a chip for each condition, and one input with suggestions that adds more. */
export class FilterBar {
  readonly #chips = byId("chips");
  readonly #input = byId<HTMLInputElement>("filter-input");
  readonly #list: SuggestionList;
  readonly #rank: RankValues;
  readonly #onChange: (filters: readonly Filter[]) => void;
  #filters: readonly Filter[] = [];
  #typing = 0;
  #isAsking = false;

  constructor(rank: RankValues, onChange: (filters: readonly Filter[]) => void) {
    this.#rank = rank;
    this.#onChange = onChange;
    this.#list = new SuggestionList(this.#input, byId("suggestions"), (suggestion) => this.#take(suggestion));
    this.#input.addEventListener("input", () => this.#suggestSoon());
    this.#input.addEventListener("focus", () => this.#suggestSoon());
    this.#input.addEventListener("blur", () => this.#close());
    this.#input.addEventListener("keydown", (event) => this.#onKey(event));
    byId("filters").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#commit();
    });
    byId("clear-filters").addEventListener("click", () => {
      this.#onChange([]);
      this.#input.focus();
    });
  }

  focus(): void {
    this.#input.focus();
  }

  show(filters: readonly Filter[]): void {
    this.#filters = filters;
    this.#chips.replaceChildren(...filters.map((filter) => this.#chip(filter)));
    this.#chips.hidden = filters.length === 0;
    byId("clear-filters").hidden = filters.length === 0;
  }

  /** Marks the chips of fields that the sink does not take. */
  mark(errors: readonly ParameterError[]): void {
    for (const [place, { field }] of this.#filters.entries()) {
      const error = errors.find((each) => each.field === field || each.field === JSON.stringify(field));
      const chip = this.#chips.children[place];
      chip?.classList.toggle("wrong", error !== undefined);
      const edit = chip?.firstElementChild;
      if (error === undefined) {
        edit?.removeAttribute("aria-describedby");
      } else {
        edit?.setAttribute("aria-describedby", "problem");
        edit?.setAttribute("title", error.message);
      }
    }
  }

  #chip(filter: Filter): HTMLElement {
    const { field, value } = filter;
    const isNegated = value.startsWith("!");
    const shown = visibleText(isNegated ? value.slice(1) : value) || "none";
    const words = `${visibleText(field)} ${isNegated ? "is not" : "is"} ${shown}`;
    const edit = buttonElement(
      { class: "chip-text", title: `Change: ${words}` },
      [
        element("span", { class: "chip-field" }, visibleText(field)),
        element("span", { class: "chip-sign" }, isNegated ? "≠" : ":"),
        element("span", { class: "chip-value" }, shown),
      ],
      () => this.#edit(filter),
    );
    const remove = buttonElement({ class: "chip-remove", "aria-label": `Remove the filter ${words}` }, ["✕"], () => {
      this.#onChange(withoutFilter(this.#filters, filter));
      this.#input.focus();
    });
    return element("li", { class: "chip" }, edit, remove);
  }

  #edit(filter: Filter): void {
    this.#onChange(withoutFilter(this.#filters, filter));
    this.#input.value = filterText(filter);
    this.#input.focus();
    this.#suggestSoon();
  }

  #suggestSoon(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#suggest(), typingPauseMs);
  }

  /** Shows suggestions for the text. One question at a time: to count values is work for the sink. */
  async #suggest(): Promise<void> {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    const text = this.#input.value;
    // A sink that does not answer leaves people without suggestions, not without filters.
    const suggestions = await suggest(text, this.#rank).catch(() => []);
    this.#isAsking = false;
    if (document.activeElement !== this.#input) {
      return;
    }
    if (text === this.#input.value) {
      this.#list.show(suggestions);
    } else if (this.#input.value !== "") {
      this.#suggestSoon();
    }
  }

  #close(): void {
    clearTimeout(this.#typing);
    this.#list.close();
  }

  #commit(): void {
    const filter = parseFilter(this.#input.value);
    if (this.#list.active !== undefined) {
      this.#take(this.#list.active);
    } else if (filter !== undefined) {
      this.#add(filter);
    } else if (this.#input.value.trim() !== "" && this.#list.first !== undefined) {
      this.#take(this.#list.first);
    }
  }

  #take({ filter, completion = "" }: Suggestion): void {
    if (filter !== undefined) {
      this.#add(filter);
    } else {
      this.#input.value = completion;
      this.#suggestSoon();
    }
  }

  #add(filter: Filter): void {
    this.#input.value = "";
    this.#close();
    this.#onChange(withFilter(this.#filters, filter));
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#filters.at(-1);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.#list.isOpen) {
        this.#list.move(event.key === "ArrowDown" ? 1 : -1);
      } else {
        this.#suggestSoon();
      }
    } else if (event.key === "Escape" && this.#list.isOpen) {
      event.stopPropagation();
      this.#close();
    } else if (event.key === "Backspace" && this.#input.value === "" && last !== undefined) {
      event.preventDefault();
      this.#edit(last);
    }
  }
}
