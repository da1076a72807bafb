import type { JsonValue } from "../json.js";
import { type ParsedJson, parseJsonExactly } from "./parse-json-exactly.js";

export type { ParsedJson };

const noDuplicates: readonly string[] = Object.freeze([]);

/** Shorter texts cannot nest deep enough to matter: every level takes an opening and a closing bracket. */
const shortestDeepText = 20_000;

/**
 * Parses JSON as Go does: duplicates found, integers exact (as bigint beyond 2^53), at most 10,000 levels deep. Throws
 * DecodeError with Go's text. JSON.parse does the work whenever a quick count shows that it has lost nothing.
 */
export function parseJson(text: string): ParsedJson {
  if (text.length >= shortestDeepText && hasManyBrackets(text)) {
    return parseJsonExactly(text);
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return parseJsonExactly(text);
  }
  // Escapes may hold half of a surrogate pair, which Go replaces.
  const isExact = countKeys(value) === countKeyColons(text) && !/\\u[dD][89a-fA-F]/.test(text);
  return isExact ? { value, duplicateFields: noDuplicates } : parseJsonExactly(text);
}

/** Whether the text could be too deep; only then is its real depth worth finding out. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x7b || code === 0x5b) {
      count++;
    }
  }
  return count > 10_000;
}

/**
 * Quotes followed by a colon. Inside a string a quote is preceded by a backslash, so these are the ends of keys. Text with
 * a space before the colon, a key that ends in a backslash or a string that starts with a colon is counted wrongly; the
 * exact parser then finds that nothing is amiss.
 */
function countKeyColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    if (text.charCodeAt(at - 1) !== 0x5c) {
      count++;
    }
  }
  return count;
}

/** The number of members of all objects; -1 when a number may have lost digits. */
function countKeys(root: JsonValue): number {
  let count = 0;
  const pending: JsonValue[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "number") {
      if (!isExactNumber(next)) {
        return -1;
      }
    } else if (Array.isArray(next)) {
      for (let i = 0; i < next.length; i++) {
        const item = next[i];
        if (typeof item === "number" ? !isExactNumber(item) : false) {
          return -1;
        }
        if (typeof item === "object" && item !== null) {
          pending.push(item);
        }
      }
    } else if (typeof next === "object" && next !== null) {
      for (const key in next) {
        count++;
        const item = next[key];
        if (typeof item === "number") {
          if (!isExactNumber(item)) {
            return -1;
          }
        } else if (typeof item === "object" && item !== null) {
          pending.push(item);
        }
      }
    }
  }
  return count;
}

/** False for integers beyond 2^53, which JSON.parse rounds, and for infinity, which it makes of 1e999. */
function isExactNumber(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}
