/** A port or a count, given as a number or as text (`80`, `"http"`, `"25%"`). */
export type IntOrString = number | string;

/** Reports whether a value is a 32-bit integer, as the number of an IntOrString must be. */
export function isInt32(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value;
}

/** Returns the number in a text such as `25%`; undefined for any other text. */
export function parsePercent(text: string): number | undefined {
  const digits = /^([0-9]{1,9})%$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns the value itself, or its percentage of `total`, rounded up or down. Undefined when the text is no percentage.
 * Go's `GetScaledValueFromIntOrPercent`.
 */
export function scaledIntOrPercent(value: IntOrString, total: number, roundUp: boolean): number | undefined {
  if (typeof value === "number") {
    return value;
  }
  const percent = parsePercent(value);
  if (percent === undefined) {
    return undefined;
  }
  return roundUp ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}
