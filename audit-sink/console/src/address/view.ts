/** One condition on events: the field must be `value`, or not, if it begins with `!`; `pods*` is any text that begins so. */
export interface Filter {
  readonly field: string;
  readonly value: string;
}

/** Either how long ago the period begins, as `1h`, or when it begins and ends, in RFC 3339. */
export type Period = { readonly last: string } | { readonly from: string; readonly to: string };

/** The series by which the chart is split. */
export type ChartSplit = "byOutcome" | "byVerb";

/** The settings of the page that its address holds. Values are as written there: the sink tells which are wrong. */
export interface View {
  readonly filters: readonly Filter[];
  readonly period: Period;
  /** True if events of system accounts are listed. */
  readonly showsSystem: boolean;
  readonly split: ChartSplit;
  readonly isUtc: boolean;
  /** Position of the event that is shown in full. */
  readonly event?: number | undefined;
}

/** The period of a view that names none. */
export const defaultLast = "1h";

/** The view of an empty address. */
export const emptyView: View = {
  filters: [],
  period: { last: defaultLast },
  showsSystem: false,
  split: "byOutcome",
  isUtc: false,
};

/** Reads the fragment of an address. A name that is none of ours is taken for a field, which the sink then refuses. */
export function parseView(fragment: string): View {
  const filters: Filter[] = [];
  const single = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (singleNames.has(name)) {
      single.set(name, value);
    } else {
      filters.push({ field: name, value });
    }
  }
  const from = single.get("from");
  const event = single.get("event") ?? "";
  return {
    filters,
    period:
      from === undefined
        ? { last: single.get("last") ?? defaultLast }
        : { from, to: single.get("to") ?? new Date().toISOString() },
    showsSystem: single.get("system") === "shown",
    split: single.get("split") === "verb" ? "byVerb" : "byOutcome",
    isUtc: single.get("tz") === "utc",
    ...(/^\d{1,15}$/.test(event) ? { event: Number(event) } : {}),
  };
}

const singleNames: ReadonlySet<string> = new Set(["last", "from", "to", "system", "split", "tz", "event"]);

/** Writes the fragment of an address, without what is as in an empty one. */
export function formatView(view: View): string {
  const query = new URLSearchParams(view.filters.map(({ field, value }) => [field, value]));
  for (const [name, value] of Object.entries(view.period)) {
    if (name !== "last" || value !== defaultLast) {
      query.set(name, value);
    }
  }
  const rest: readonly (readonly [string, string | undefined])[] = [
    ["system", view.showsSystem ? "shown" : undefined],
    ["split", view.split === "byVerb" ? "verb" : undefined],
    ["tz", view.isUtc ? "utc" : undefined],
    ["event", view.event === undefined ? undefined : String(view.event)],
  ];
  for (const [name, value] of rest) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return `#${query}`;
}

/** Returns whether two views ask the sink for the same events. */
export function asksTheSame(a: View, b: View): boolean {
  const question = ({ filters, period, showsSystem }: View): string =>
    formatView({ ...emptyView, filters, period, showsSystem });
  return question(a) === question(b);
}
