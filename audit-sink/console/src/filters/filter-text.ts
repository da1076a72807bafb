import type { Filter } from "../address/view.js";
import { findField } from "./filter-fields.js";

/**
 * Reads a condition as people type it: `user:alice`, `verb!=watch`, `-ns:shop`. Undefined when it names no field. The
 * value may still be empty.
 */
export function parseFilter(text: string): Filter | undefined {
  const [, minus = "", name = "", not = "", rest = ""] = /^\s*(-?)\s*(\w+)\s*(!?)[:=]\s*(.*?)\s*$/s.exec(text) ?? [];
  const field = findField(name);
  if (field === undefined) {
    return undefined;
  }
  const isNegated = minus !== "" || not !== "" || rest.startsWith("!");
  return { field: field.name, value: `${isNegated ? "!" : ""}${rest.replace(/^!/, "")}` };
}

/** Writes a condition so that `parseFilter` reads it again. */
export function filterText({ field, value }: Filter): string {
  return `${field}:${value}`;
}

/** Returns the filters with one more; values of one field are alternatives, so each stands there once. */
export function withFilter(filters: readonly Filter[], added: Filter): readonly Filter[] {
  return filters.some((each) => isSame(each, added)) ? filters : [...filters, added];
}

/** Returns the filters with this as the only condition on its field. */
export function withOnly(filters: readonly Filter[], only: Filter): readonly Filter[] {
  return [...filters.filter(({ field }) => field !== only.field), only];
}

export function withoutFilter(filters: readonly Filter[], removed: Filter): readonly Filter[] {
  return filters.filter((each) => !isSame(each, removed));
}

function isSame(a: Filter, b: Filter): boolean {
  return a.field === b.field && a.value === b.value;
}
