/** A part of a document, as offsets; the end is not part of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header (RFC 9110, section 14), as Go's library does: all if the header is empty or has several parts;
 * `misshapen` if it cannot be parsed, and `beyond` if every part begins behind the end.
 */
export function byteRangeOf(header: string | undefined, length: number): ByteRange | "all" | "misshapen" | "beyond" {
  if (header === undefined || header === "") {
    return "all";
  }
  if (!header.startsWith("bytes=")) {
    return "misshapen";
  }
  const asked = header.slice("bytes=".length).split(",");
  const parts = asked.filter((text) => text.trim() !== "").map((text) => partOf(text.trim(), length));
  if (parts.includes("misshapen")) {
    return "misshapen";
  }
  const found = parts.filter((part) => typeof part === "object");
  if (found.length === 0) {
    return parts.length === 0 ? "all" : "beyond";
  }
  return found.length === 1 ? (found[0] as ByteRange) : "all";
}

/** Parses one part of a range: `5-9`, `5-` or `-5`. */
function partOf(text: string, length: number): ByteRange | "misshapen" | "beyond" {
  const [, first, last] = /^(\d{0,15})\s*-\s*(\d{0,15})$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) {
    return "misshapen";
  }
  if (first === "") {
    return { start: length - Math.min(Number(last), length), end: length };
  }
  const start = Number(first);
  if (start >= length) {
    return "beyond";
  }
  if (last !== "" && Number(last) < start) {
    return "misshapen";
  }
  return { start, end: last === "" ? length : Math.min(Number(last) + 1, length) };
}
