/** A range of numbers to allocate from: ports, or addresses as their places in a network. */
export interface NumberRange {
  /** The text in a RangeAllocation and in messages: `10.96.0.0/12`, `30000-32767`. */
  readonly text: string;
  /** The smallest number that can be allocated. */
  readonly first: number;
  readonly size: number;
  /** Number of the smallest numbers that are allocated only on request, until all others are taken. */
  readonly reserved: number;
}

/** Parses the ports of `30000-32767`, `30000+2767` or `30000`. Undefined for any other text. */
export function portRange(text: string): NumberRange | undefined {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const first = Number(match[1]);
  const second = Number(match[3] ?? first);
  const last = match[2] === "+" ? first + second : second;
  if (first < 1 || last < first || last > 65535) {
    return undefined;
  }
  const size = last - first + 1;
  return { text: `${first}-${last}`, first, size, reserved: reservedOf(size, { min: 16, max: 128, step: 32 }) };
}

/**
 * Computes the reserved part by KEP-3070 (addresses) and KEP-3668 (ports): a `step`-th, at least `min`, at most `max`.
 */
export function reservedOf(
  size: number,
  { min, max, step }: { readonly min: number; readonly max: number; readonly step: number },
): number {
  return size <= min ? 0 : Math.min(Math.max(min, Math.floor(size / step)), max);
}
