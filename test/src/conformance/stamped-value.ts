/** A value that shows whether it is whole: its stamp at both ends, and how long it must be. */
export function stampedValue(stamp: string, padding: number): Buffer {
  return Buffer.from(`${stamp}|${padding}|${"x".repeat(padding)}|${stamp}`);
}

/** The stamp of a whole value; undefined when the value is not whole. */
export function stampOf(value: Buffer): string | undefined {
  const [first, padding, fill, last] = value.toString().split("|");
  return first === last && fill?.length === Number(padding) ? first : undefined;
}
