/** Names of what this browser remembers. None of it comes from events. */
export type Preference = "theme" | "lists" | "welcome" | "queries";

/** Returns a remembered value; undefined when there is none, or when the browser keeps nothing. */
export function readPreference(name: Preference): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a value. A browser that keeps nothing forgets it with the page. */
export function writePreference(name: Preference, value: unknown): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // Storage is full or forbidden.
  }
}

function keyOf(name: Preference): string {
  return `gatehouse-audit-${name}`;
}
