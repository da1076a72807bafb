import { formatView, parseView, type View } from "../address/view.js";
import { readPreference, writePreference } from "../page/preferences.js";

/** A view that somebody has given a name to. */
export interface SavedQuery {
  readonly name: string;
  /** Fragment of the address. */
  readonly fragment: string;
}

const maxQueries = 50;
const maxNameLength = 80;

/** Returns the saved queries of this browser, by name. */
export function savedQueries(): readonly SavedQuery[] {
  const kept = readPreference("queries");
  return Array.isArray(kept) ? kept.filter(isQuery) : [];
}

/** Saves a view without the event that is open in it, in place of one with the same name. */
export function saveQuery(name: string, view: View): void {
  const given = name.trim().slice(0, maxNameLength);
  const fragment = formatView({ ...view, event: undefined });
  const others = savedQueries().filter((query) => query.name !== given);
  const all = [...others.slice(1 - maxQueries), { name: given, fragment }];
  writePreference(
    "queries",
    all.sort((a, b) => a.name.localeCompare(b.name)),
  );
}

export function deleteQuery(name: string): void {
  writePreference(
    "queries",
    savedQueries().filter((query) => query.name !== name),
  );
}

/** Returns the view of a saved query. */
export function viewOf({ fragment }: SavedQuery): View {
  return parseView(fragment);
}

function isQuery(value: unknown): value is SavedQuery {
  const { name, fragment } = Object.assign({ name: undefined, fragment: undefined }, value) as Record<string, unknown>;
  return typeof name === "string" && typeof fragment === "string";
}
