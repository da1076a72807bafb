import { defaultLast, type Period } from "../address/view.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { attachMenu } from "../page/menu.js";
import type { TimeFormat } from "./time-format.js";

const presets: readonly (readonly [last: string, label: string])[] = [
  ["15m", "Last 15 minutes"],
  ["1h", "Last hour"],
  ["6h", "Last 6 hours"],
  ["1d", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
];

/** The button that says which period is shown, and its menu: usual periods, and a form for any other. */
export class PeriodControl {
  readonly #button = byId("period");
  readonly #panel = byId("period-menu");
  readonly #from = rangeInput("From", "from");
  readonly #to = rangeInput("To", "to");
  readonly #onChoose: (period: Period) => void;
  readonly #close: () => void;
  #period: Period = { last: defaultLast };
  #times: TimeFormat;

  constructor(times: TimeFormat, onChoose: (period: Period) => void) {
    this.#times = times;
    this.#onChoose = onChoose;
    this.#close = attachMenu(this.#button, this.#panel, () => this.#fillForm());
    const form = element("form", { class: "range" }, this.#from.field, this.#to.field);
    form.append(element("button", { type: "submit", class: "primary" }, "Apply"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#choose({ from: this.#readTime(this.#from.input), to: this.#readTime(this.#to.input) });
    });
    const choices = presets.map(([last, label]) =>
      buttonElement({ class: "menu-item", "data-last": last }, [label], () => this.#choose({ last })),
    );
    this.#panel.append(element("div", { class: "presets" }, ...choices), form);
  }

  show(period: Period, times: TimeFormat): void {
    this.#period = period;
    this.#times = times;
    this.#button.textContent = periodText(period, times);
    for (const choice of this.#panel.querySelectorAll<HTMLElement>("[data-last]")) {
      choice.setAttribute("aria-pressed", String("last" in period && choice.dataset["last"] === period.last));
    }
  }

  /** Marks the period as one that the sink does not take; undefined takes the mark away. */
  mark(problem: string | undefined): void {
    this.#button.classList.toggle("wrong", problem !== undefined);
    this.#button.title = problem ?? "";
  }

  #choose(period: Period): void {
    this.#close();
    this.#onChoose(period);
  }

  #fillForm(): void {
    const { from, to } = boundsOf(this.#period);
    this.#from.input.value = this.#inputText(from);
    this.#to.input.value = this.#inputText(to);
    for (const zone of this.#panel.querySelectorAll(".zone")) {
      zone.textContent = this.#times.zoneName;
    }
  }

  /** Inputs of this type know no time zone. */
  #inputText(time: Date): string {
    return this.#times.dateAndTime(time).replace(" ", "T");
  }

  #readTime({ value }: HTMLInputElement): string {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = value.split(/[-T:]/).map(Number);
    return new Date(this.#times.msOf(year, month - 1, day, hour, minute, second)).toISOString();
  }
}

/** Returns a period in words. */
export function periodText(period: Period, times: TimeFormat): string {
  if ("last" in period) {
    return presets.find(([last]) => last === period.last)?.[1] ?? `Last ${period.last}`;
  }
  const [from, to] = [new Date(period.from), new Date(period.to)];
  const isValid = !Number.isNaN(from.getTime()) && !Number.isNaN(to.getTime());
  return isValid ? times.range(from, to) : `${period.from} – ${period.to}`;
}

function boundsOf(period: Period): { readonly from: Date; readonly to: Date } {
  const now = new Date();
  const hourAgo = new Date(now.getTime() - 3_600_000);
  if ("last" in period) {
    return { from: hourAgo, to: now };
  }
  const valid = (text: string, fallback: Date): Date => (Number.isNaN(Date.parse(text)) ? fallback : new Date(text));
  return { from: valid(period.from, hourAgo), to: valid(period.to, now) };
}

function rangeInput(label: string, name: string): { readonly field: HTMLElement; readonly input: HTMLInputElement } {
  const id = `period-${name}`;
  const input = element("input", { type: "datetime-local", id, step: 1, required: true });
  const zone = element("span", { class: "zone muted" });
  return { input, field: element("div", { class: "field" }, element("label", { for: id }, `${label} `, zone), input) };
}
