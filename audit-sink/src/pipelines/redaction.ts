import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Replacement of a redacted value. */
export const redacted = "REDACTED";

/** One step of a path: a member by name, any member, or any item of a list. */
export type RedactionStep = { readonly member: string } | "anyMember" | "anyItem";

/** The way to fields of an event. */
export type RedactionPath = readonly RedactionStep[];

/** A member (`.data`, or `["a.b"]` for names with other characters), any member (`.*`), any item (`[*]`). */
const stepPattern = /\.?(?:([A-Za-z_$][-\w$/]*)|(\*))|\[(\*)\]|\["((?:[^"\\]|\\["\\])*)"\]/y;

/** Reads a path such as `requestObject.spec.containers[*].env[*].value`. Undefined when it is none. */
export function parseRedactionPath(text: string): RedactionPath | undefined {
  const steps: RedactionStep[] = [];
  let at = 0;
  while (at < text.length) {
    stepPattern.lastIndex = at;
    const found = stepPattern.exec(text);
    const beginsWithDot = text[at] === ".";
    if (found === null || (at === 0 ? beginsWithDot : !beginsWithDot && text[at] !== "[")) {
      return undefined;
    }
    const [all, name, anyMember, anyItem, quoted] = found;
    if (anyMember !== undefined) {
      steps.push("anyMember");
    } else if (anyItem !== undefined) {
      steps.push("anyItem");
    } else {
      steps.push({ member: name ?? (quoted ?? "").replace(/\\(["\\])/g, "$1") });
    }
    at += all.length;
  }
  return steps.length === 0 ? undefined : steps;
}

/** Blots out in place whatever the path leads to. Returns whether there was anything. */
export function redact(value: JsonValue | undefined, path: RedactionPath, depth = 0): boolean {
  const step = path[depth];
  const isLast = depth === path.length - 1;
  if (step === "anyItem") {
    return Array.isArray(value) && value.map((_, index) => redactAt(value, index, isLast, path, depth)).some(Boolean);
  }
  if (step === undefined || !isJsonObject(value)) {
    return false;
  }
  if (step === "anyMember") {
    return Object.keys(value)
      .map((name) => redactAt(value, name, isLast, path, depth))
      .some(Boolean);
  }
  return Object.hasOwn(value, step.member) && redactAt(value, step.member, isLast, path, depth);
}

function redactAt<K extends string | number>(
  holder: K extends string ? JsonObject : JsonValue[],
  key: K,
  isLast: boolean,
  path: RedactionPath,
  depth: number,
): boolean {
  const values = holder as Record<K, JsonValue>;
  if (!isLast) {
    return redact(values[key], path, depth + 1);
  }
  // A member whose name is __proto__ is data, made by JSON.parse as its own.
  Object.defineProperty(holder, key, { value: redacted, writable: true, enumerable: true, configurable: true });
  return true;
}
