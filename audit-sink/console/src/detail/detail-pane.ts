import type { View } from "../address/view.js";
import { objectOf, resourceOf, resourceText, targetOf, textOf } from "../events/target.js";
import { clipboardButton } from "../page/clipboard-button.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";
import type { Api } from "../sink/api.js";
import type { AuditEvent, Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { changesSection, hookSections } from "./changes-section.js";
import { annotationSection, factList, outcomeLine } from "./event-facts.js";
import { jsonSection } from "./json-section.js";
import { kubectlCommand } from "./kubectl-command.js";

/** Period of the timeline of an object. */
const timelinePeriod = { last: "30d" };

/** The parts of the page that the pane calls back. */
export interface DetailListener {
  onClose(): void;
  /** Called to go to the event that came after (-1) or before (1). */
  onStep(by: 1 | -1): void;
  onShow(view: Partial<View>): void;
}

/** One event in full: beside the grid on a wide screen, over it on a narrow one. */
export class DetailPane {
  readonly #dialog = byId<HTMLDialogElement>("detail");
  readonly #isWide = matchMedia("(min-width: 64rem)");
  readonly #api: Api;
  readonly #listener: DetailListener;
  #asking = new AbortController();

  constructor(api: Api, listener: DetailListener) {
    this.#api = api;
    this.#listener = listener;
    byId("detail-close").addEventListener("click", () => listener.onClose());
    byId("detail-newer").addEventListener("click", () => listener.onStep(-1));
    byId("detail-older").addEventListener("click", () => listener.onStep(1));
    this.#dialog.addEventListener("keydown", (event) => this.#onKey(event));
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      listener.onClose();
    });
    this.#isWide.addEventListener("change", () => {
      if (this.#dialog.open) {
        this.#dialog.close();
        this.#open();
      }
    });
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  show(item: Item, times: TimeFormat): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    const { event } = item;
    byId("detail-title").textContent = visibleText(titleOf(event));
    const changes = changesSection(this.#api, item, times, this.#asking.signal);
    const annotations = annotationSection(event);
    byId("detail-body").replaceChildren(
      outcomeLine(event),
      this.#actions(event),
      ...(changes === undefined ? [] : [changes]),
      ...hookSections(event),
      element("section", {}, element("h3", {}, "Request"), factList(item, times)),
      ...(event.requestObject === undefined ? [] : [jsonSection("Request body", event.requestObject)]),
      ...(event.responseObject === undefined ? [] : [jsonSection("Response body", event.responseObject)]),
      ...(annotations === undefined ? [] : [annotations]),
      jsonSection("The whole event", event, false),
    );
    byId("detail-body").scrollTop = 0;
    if (!this.#dialog.open) {
      this.#open();
    }
  }

  close(): void {
    this.#asking.abort();
    if (this.#dialog.open) {
      this.#dialog.close();
    }
  }

  #open(): void {
    if (this.#isWide.matches) {
      this.#dialog.show();
    } else {
      this.#dialog.showModal();
    }
    byId("detail-title").focus();
  }

  #actions(event: AuditEvent): HTMLElement {
    const row = element("div", { class: "actions" });
    const target = targetOf(event);
    if (target !== undefined && target.name !== "") {
      const fields = [
        ["resource", resourceText({ ...target, subresource: "" })],
        ["resource", `${resourceText({ ...target, subresource: "" })}/*`],
        ["namespace", target.resource === "namespaces" ? "" : target.namespace],
        ["name", target.name],
        ["verb", "!get"],
        ["verb", "!watch"],
      ] as const;
      const filters = fields.flatMap(([field, value]) => (value === "" ? [] : [{ field, value }]));
      const show = (): void =>
        this.#listener.onShow({ filters, period: timelinePeriod, showsSystem: true, event: undefined });
      row.append(buttonElement({}, ["Timeline of the object"], show));
    }
    const command = kubectlCommand(event);
    if (command !== undefined) {
      row.append(clipboardButton("Copy as kubectl", () => command, ""));
    }
    row.append(clipboardButton("Copy link", () => location.href, ""));
    return row;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.#isWide.matches) {
      this.#listener.onClose();
    } else if ((event.key === "j" || event.key === "k") && !(event.target instanceof HTMLInputElement)) {
      this.#listener.onStep(event.key === "j" ? 1 : -1);
    }
  }
}

function titleOf(event: AuditEvent): string {
  return [textOf(event.verb), resourceOf(event), objectOf(event)].filter((part) => part !== "").join(" ");
}
