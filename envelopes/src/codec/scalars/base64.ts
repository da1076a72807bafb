import { DecodeError } from "../../errors.js";

/** Returns padded standard base64 as the API writes it. Line breaks in the input are dropped; throws DecodeError. */
export function canonicalBase64(text: string): string {
  const canonical = Buffer.from(text, "base64").toString("base64");
  if (canonical === text) {
    return text;
  }
  // Buffer skips whatever it does not know, so the input is checked here and only then believed.
  const at = firstIllegalByte(text);
  if (at !== undefined) {
    throw new DecodeError(`illegal base64 data at input byte ${at}`);
  }
  return canonical;
}

/**
 * Returns the position that Go's decoder reports: it reads groups of four, skips \r and \n, and requires complete
 * padding.
 */
function firstIllegalByte(text: string): number | undefined {
  let at = 0;
  let inGroup = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) {
      continue;
    }
    if (code === 0x3d) {
      return checkPadding(text, at, inGroup);
    }
    if (!isBase64Digit(code)) {
      return at;
    }
    inGroup = (inGroup + 1) % 4;
  }
  // An unfinished group is reported where it began.
  return inGroup === 0 ? undefined : at - inGroup;
}

function checkPadding(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) {
    return at;
  }
  let next = skipLineBreaks(text, at + 1);
  if (inGroup === 2) {
    if (next === text.length) {
      return text.length;
    }
    if (text.charCodeAt(next) !== 0x3d) {
      return next - 1;
    }
    next = skipLineBreaks(text, next + 1);
  }
  return next === text.length ? undefined : next;
}

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 0x0a || text.charCodeAt(at) === 0x0d)) {
    at++;
  }
  return at;
}

function isBase64Digit(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2f
  );
}
