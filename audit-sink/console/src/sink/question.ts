import type { Filter, View } from "../address/view.js";
import { onlySystemAccounts, withoutSystemAccounts } from "../events/system-accounts.js";

/** A request that has just come in says little that its end does not say again. */
const finished: Filter = { field: "stage", value: "!RequestReceived" };

/** Returns the events of a view as the sink is asked for them; without times for events to come. */
export function questionOf(view: View, { isLive = false } = {}): URLSearchParams {
  return toQuery(view, foldsSystem(view) ? withoutSystemAccounts : [], isLive);
}

/** Returns the question for the events that a view folds away; undefined when it folds none. */
export function foldedQuestionOf(view: View): URLSearchParams | undefined {
  return foldsSystem(view) ? toQuery(view, onlySystemAccounts, false) : undefined;
}

/** Users that are asked for by name are shown, also those that are system accounts. */
function foldsSystem({ showsSystem, filters }: View): boolean {
  return !showsSystem && !filters.some(({ field, value }) => field === "user" && !value.startsWith("!"));
}

function toQuery({ filters, period }: View, more: readonly Filter[], isLive: boolean): URLSearchParams {
  const hasStage = filters.some(({ field }) => field === "stage");
  const all = [...filters, ...more, ...(hasStage ? [] : [finished])];
  const query = new URLSearchParams(all.map(({ field, value }) => [field, value]));
  if (isLive) {
    return query;
  }
  if ("last" in period) {
    query.set("from", period.last);
  } else {
    query.set("from", period.from);
    query.set("to", period.to);
  }
  return query;
}

/** Returns the question for the counts of a view. */
export function statsQuestionOf(
  view: View,
  buckets: number,
  rankedFields: readonly string[],
  rankingLength: number,
): URLSearchParams {
  const query = questionOf(view);
  query.set("buckets", String(buckets));
  query.set("top", String(rankingLength));
  for (const field of rankedFields) {
    query.append("rank", field);
  }
  return query;
}

/** Returns the question for the most frequent values of a field that begin with a text, under the other filters. */
export function valuesQuestionOf(view: View, field: string, prefix: string, most: number): URLSearchParams {
  const others = view.filters.filter((filter) => filter.field !== field);
  const filters = prefix === "" ? others : [...others, { field, value: `${prefix.replace(/\*$/, "")}*` }];
  return statsQuestionOf({ ...view, filters, showsSystem: true }, 1, [field], most);
}
