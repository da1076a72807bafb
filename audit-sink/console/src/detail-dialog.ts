import { byId } from "./dom.js";
import { detailOf, titleOf } from "./event-detail.js";
import type { EventTable } from "./event-table.js";
import type { Item } from "./types.js";

/** Shows one event of the table beside it, and goes from one to the next. */
export class DetailDialog {
  readonly #dialog = byId<HTMLDialogElement>("detail");
  readonly #table: () => EventTable;
  #item: Item | undefined;

  constructor(table: () => EventTable) {
    this.#table = table;
    byId("close").addEventListener("click", () => this.#dialog.close());
    byId("previous").addEventListener("click", () => this.#step(-1));
    byId("next").addEventListener("click", () => this.#step(1));
    this.#dialog.addEventListener("keydown", ({ key }) => {
      if (key === "j" || key === "k") {
        this.#step(key === "j" ? 1 : -1);
      }
    });
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) {
        this.#dialog.close();
      }
    });
    this.#dialog.addEventListener("close", () => this.#table().focus(this.#place()));
  }

  open(place: number): void {
    const item = this.#table().items[place];
    if (item === undefined) {
      return;
    }
    this.#item = item;
    byId("detail-title").textContent = titleOf(item.event);
    byId("detail-body").replaceChildren(...detailOf(item));
    byId("detail-body").scrollTop = 0;
    if (!this.#dialog.open) {
      this.#dialog.showModal();
    }
  }

  #step(by: number): void {
    this.open(this.#place() + by);
  }

  /** Rows move while events stream in. */
  #place(): number {
    return this.#item === undefined ? 0 : this.#table().items.indexOf(this.#item);
  }
}
