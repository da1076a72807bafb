import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import { sortKeys } from "./object-plan.js";

/**
 * Returns JSON text as Go writes it: `<`, `>`, `&`, U+2028 and U+2029 escaped, integers with all their digits, map keys
 * sorted even where they look like array indices. `indent` is the number of spaces of pretty output.
 */
export function encodeJson(value: JsonValue, indent = 0): string {
  let text: string;
  try {
    text = JSON.stringify(value, undefined, indent);
  } catch {
    // A bigint, which JSON.stringify refuses, or nesting too deep for its recursion.
    return escapeForGo(writeJson(value, indent));
  }
  if (!mayNeedCare(text)) {
    return text;
  }
  // JavaScript moves keys such as "10" before all others and orders them by number.
  return escapeForGo(/"\d+":/.test(text) ? writeJson(value, indent) : text);
}

/** Reports whether text may need escapes or sorting, by cheap searches; a false alarm costs time only. */
function mayNeedCare(text: string): boolean {
  return (
    text.includes("<") ||
    text.includes(">") ||
    text.includes("&") ||
    text.includes("\u2028") ||
    text.includes("\u2029") ||
    text.includes("\\b") ||
    text.includes("\\f") ||
    /"\d+":/.test(text)
  );
}

const escapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
  "\\b": "\\u0008",
  "\\f": "\\u000c",
};

function escapeForGo(text: string): string {
  // An escaped character is matched as a pair, so that the `b` of `\\b` is not taken for a backspace.
  return text.replace(/\\.|[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found);
}

interface Frame {
  readonly items: readonly JsonValue[];
  /** The keys of an object; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  next: number;
}

/** Writes any value, however deep, without recursion. */
function writeJson(root: JsonValue, indent: number): string {
  const out: string[] = [];
  const stack: Frame[] = [];
  const newline = (): void => {
    if (indent > 0) {
      out.push("\n", " ".repeat(indent * stack.length));
    }
  };
  const open = (value: JsonValue): void => {
    if (typeof value !== "object" || value === null) {
      out.push(typeof value === "bigint" ? String(value) : JSON.stringify(value));
      return;
    }
    const frame = toFrame(value);
    if (frame.items.length === 0) {
      out.push(frame.keys === undefined ? "[]" : "{}");
      return;
    }
    out.push(frame.keys === undefined ? "[" : "{");
    stack.push(frame);
  };
  open(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.items.length) {
      stack.pop();
      newline();
      out.push(frame.keys === undefined ? "]" : "}");
      continue;
    }
    if (frame.next > 0) {
      out.push(",");
    }
    newline();
    const key = frame.keys?.[frame.next];
    if (key !== undefined) {
      out.push(JSON.stringify(key), indent > 0 ? ": " : ":");
    }
    open(frame.items[frame.next++] as JsonValue);
  }
  return out.join("");
}

function toFrame(value: JsonArray | JsonObject): Frame {
  if (Array.isArray(value)) {
    return { items: value, keys: undefined, next: 0 };
  }
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  // Only a map has such keys: a struct keeps the order of its members.
  const ordered = keys.some((key) => /^\d+$/.test(key)) ? sortKeys(keys) : keys;
  return { items: ordered.map((key) => value[key] as JsonValue), keys: ordered, next: 0 };
}
