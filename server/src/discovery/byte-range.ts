/** A part of a document, as offsets; the end is not part of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part that a Range header asks for (RFC 9110, section 14): all of it when the header says nothing that can be
 * followed, or asks for several parts; undefined when the part begins behind the end.
 */
export function byteRangeOf(header: string | undefined, length: number): ByteRange | "all" | undefined {
  const [, first = "", last = ""] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") {
    return "all";
  }
  if (first === "") {
    const size = Math.min(Number(last), length);
    return size === 0 ? undefined : { start: length - size, end: length };
  }
  const start = Number(first);
  const end = last === "" ? length : Math.min(Number(last) + 1, length);
  if (start >= length) {
    return undefined;
  }
  return start < end ? { start, end } : "all";
}
