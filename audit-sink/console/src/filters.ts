import { element } from "./dom.js";
import { dateAndTime } from "./format.js";

/** A period between two times, chosen in the chart. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly suggestions?: readonly string[];
}

const fields: readonly FilterField[] = [
  { name: "user", label: "User", hint: "alice, system:*" },
  {
    name: "verb",
    label: "Verb",
    hint: "create, !watch",
    suggestions: ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"],
  },
  { name: "resource", label: "Resource", hint: "pods, leases*" },
  { name: "namespace", label: "Namespace" },
  { name: "name", label: "Name" },
  { name: "code", label: "Code", hint: "403, 5*", suggestions: ["2*", "4*", "5*", "403", "404", "409"] },
  { name: "decision", label: "Decision", suggestions: ["allow", "forbid"] },
];

const periods: readonly (readonly [string, string])[] = [
  ["15m", "15 minutes"],
  ["1h", "hour"],
  ["6h", "6 hours"],
  ["1d", "day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
];
const defaultPeriod = "1h";
const allStages = "stages";

/** The form that says which events are shown. What it says stands in the address, too, so that it can be passed on. */
export class Filters {
  readonly #form: HTMLFormElement;
  readonly #chip = element("button", { type: "button", class: "chip", hidden: true });
  #period: Period | undefined;

  /** Fills the form, and calls `onChange` whenever it says something else. */
  constructor(form: HTMLFormElement, onChange: () => void) {
    this.#form = form;
    const changed = (): void => {
      this.#writeAddress();
      onChange();
    };
    form.append(...fields.map(fieldElement), periodElement(this.#chip), stagesElement(), buttons());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      changed();
    });
    form.addEventListener("change", changed);
    form.addEventListener("reset", () => {
      this.#setPeriod(undefined);
      // The inputs are emptied after this event.
      setTimeout(changed);
    });
    this.#chip.addEventListener("click", () => this.setPeriod(undefined));
    this.#readAddress();
  }

  /** The filter as the API takes it; without times when asked for events to come. */
  query({ live = false } = {}): URLSearchParams {
    const query = new URLSearchParams();
    for (const { name } of fields) {
      for (const value of this.#valueOf(name).split(/[\s,]+/)) {
        if (value !== "") {
          query.append(name, value);
        }
      }
    }
    if (this.#valueOf(allStages) === "") {
      // A request that is under way says little that its end does not say again.
      query.append("stage", "!RequestReceived");
    }
    if (!live) {
      query.set("from", this.#period?.from.toISOString() ?? this.#valueOf("period"));
      if (this.#period !== undefined) {
        query.set("to", this.#period.to.toISOString());
      }
    }
    return query;
  }

  /** Asks for one value of a field. */
  set(name: string, value: string): void {
    this.#input(name).value = value;
    this.#form.requestSubmit();
  }

  /** Narrows the time, or goes back to the period in the form. */
  setPeriod(period: Period | undefined): void {
    this.#setPeriod(period);
    this.#form.requestSubmit();
  }

  #setPeriod(period: Period | undefined): void {
    this.#period = period;
    this.#chip.hidden = period === undefined;
    this.#input("period").hidden = period !== undefined;
    this.#chip.textContent = period === undefined ? "" : `${dateAndTime(period.from)} – ${dateAndTime(period.to)} ✕`;
    this.#chip.title = "Back to the period before";
  }

  #valueOf(name: string): string {
    const input = this.#input(name);
    return input instanceof HTMLInputElement && input.type === "checkbox" && !input.checked ? "" : input.value.trim();
  }

  #input(name: string): HTMLInputElement | HTMLSelectElement {
    return this.#form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  }

  #readAddress(): void {
    const query = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of query) {
      const input = this.#form.elements.namedItem(name);
      if (input instanceof HTMLInputElement && input.type === "checkbox") {
        input.checked = value === "all";
      } else if (input instanceof HTMLInputElement || input instanceof HTMLSelectElement) {
        input.value = value;
      }
    }
    if (this.#valueOf("period") === "") {
      this.#input("period").value = defaultPeriod;
    }
  }

  #writeAddress(): void {
    const query = new URLSearchParams();
    for (const name of [...fields.map((field) => field.name), allStages, "period"]) {
      const value = this.#valueOf(name);
      if (value !== "" && !(name === "period" && value === defaultPeriod)) {
        query.set(name, value);
      }
    }
    history.replaceState(null, "", `#${query}`);
  }
}

function fieldElement({ name, label, hint = "", suggestions }: FilterField): HTMLElement {
  const list = suggestions === undefined ? undefined : `${name}-suggestions`;
  const input = element("input", {
    name,
    id: `filter-${name}`,
    placeholder: hint,
    list,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const options = (suggestions ?? []).map((value) => element("option", { value }));
  return element(
    "div",
    { class: "field" },
    element("label", { for: `filter-${name}` }, label),
    input,
    ...(list === undefined ? [] : [element("datalist", { id: list }, ...options)]),
  );
}

function periodElement(chip: HTMLElement): HTMLElement {
  const options = periods.map(([value, text]) => element("option", { value, selected: value === defaultPeriod }, text));
  return element(
    "div",
    { class: "field" },
    element("label", { for: "filter-period" }, "The last"),
    element("select", { name: "period", id: "filter-period" }, ...options),
    chip,
  );
}

function stagesElement(): HTMLElement {
  return element(
    "div",
    { class: "field check" },
    element("input", { type: "checkbox", name: allStages, id: "filter-stages", value: "all" }),
    element("label", { for: "filter-stages" }, "Also requests just received"),
  );
}

function buttons(): HTMLElement {
  return element(
    "div",
    { class: "field actions" },
    element("button", { type: "submit", class: "primary" }, "Show"),
    element("button", { type: "reset" }, "Clear"),
  );
}
