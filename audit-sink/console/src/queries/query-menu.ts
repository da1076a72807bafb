import type { View } from "../address/view.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { attachMenu } from "../page/menu.js";
import { type SampleQuestion, sampleQuestions } from "./sample-questions.js";
import { deleteQuery, savedQueries, saveQuery, viewOf } from "./saved-queries.js";

/** The menu of saved queries and sample questions, with a form that saves the current view. */
export class QueryMenu {
  readonly #panel = byId("queries-menu");
  readonly #name = element("input", { id: "query-name", maxlength: 80, required: true, autocomplete: "off" });
  readonly #saved = element("ul", { class: "plain" });
  readonly #onChoose: (view: View) => void;
  readonly #close: () => void;

  constructor(current: () => View, onChoose: (view: View) => void) {
    this.#onChoose = onChoose;
    this.#close = attachMenu(byId("queries"), this.#panel, () => this.#showSaved());
    const form = element("form", { class: "save" }, element("label", { for: "query-name" }, "Save this view as"));
    form.append(element("div", { class: "together" }, this.#name, element("button", { type: "submit" }, "Save")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      saveQuery(this.#name.value, current());
      this.#name.value = "";
      this.#showSaved();
    });
    this.#panel.append(
      form,
      this.#saved,
      element("p", { class: "menu-title" }, "Questions to begin with"),
      element("ul", { class: "plain" }, ...sampleItems((view) => this.#choose(view))),
    );
  }

  #choose(view: View): void {
    this.#close();
    this.#onChoose(view);
  }

  #showSaved(): void {
    this.#saved.replaceChildren(
      ...savedQueries().map((query) => {
        const open = buttonElement({ class: "menu-item" }, [query.name], () => this.#choose(viewOf(query)));
        const remove = buttonElement({ class: "quiet", "aria-label": `Delete the query ${query.name}` }, ["✕"], () => {
          deleteQuery(query.name);
          this.#showSaved();
          this.#name.focus();
        });
        return element("li", { class: "together" }, open, remove);
      }),
    );
  }
}

/** Makes list items of the sample questions. */
export function sampleItems(onChoose: (view: View) => void): readonly HTMLElement[] {
  return sampleQuestions.map(({ text, view }: SampleQuestion) =>
    element(
      "li",
      {},
      buttonElement({ class: "menu-item" }, [text], () => onChoose(view)),
    ),
  );
}
