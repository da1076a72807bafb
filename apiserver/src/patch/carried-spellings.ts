import { randomUUID } from "node:crypto";
import { type AsWritten, encodeJson, setKey } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

type Spellings = Map<JsonObject | JsonArray, Map<string | number, string>>;

/**
 * Finds the spellings of a merge patch's numbers again in the patched object, where members stand at the same places.
 */
export function spellingsAfterMerge(
  patch: JsonValue,
  patched: JsonValue,
  written: AsWritten | undefined,
): AsWritten | undefined {
  return carried(written, (from, to) => carry(patch, patched, from, to));
}

/** Finds the spellings of the numbers in a JSON patch's values again in the patched object. */
export function spellingsAfterOperations(
  operations: readonly JsonObject[],
  patched: JsonValue,
  written: AsWritten | undefined,
): AsWritten | undefined {
  return carried(written, (from, to) => {
    for (const operation of operations) {
      const { path, value } = operation;
      const text = from.get(operation)?.get("value");
      const place = typeof path === "string" ? placeOf(path, patched) : undefined;
      if (place === undefined || value === undefined) {
        continue;
      }
      const { holder, key } = place;
      const there = (holder as JsonObject)[key] ?? null;
      if (text !== undefined && there === value) {
        note(to, holder, key, text);
      } else {
        carry(value, there, from, to);
      }
    }
  });
}

/** Returns JSON text with numbers as they were written. */
export function encodeAsWritten(value: JsonValue, written: AsWritten | undefined): string {
  if (written === undefined) {
    return encodeJson(value);
  }
  // JSON has no way to spell a number but to write it: texts stand in for them meanwhile.
  const mark = randomUUID();
  const texts: string[] = [];
  const marked = (part: JsonValue): JsonValue => {
    const spelled = typeof part === "object" && part !== null ? written.spellings.get(part) : undefined;
    const member = (item: JsonValue, key: string | number): JsonValue => {
      const text = spelled?.get(key);
      return text === undefined ? marked(item) : `${mark}-${texts.push(text) - 1}`;
    };
    if (Array.isArray(part)) {
      return part.map(member);
    }
    if (!isJsonObject(part)) {
      return part;
    }
    const copy: JsonObject = {};
    for (const key of Object.keys(part)) {
      setKey(copy, key, member(part[key] as JsonValue, key));
    }
    return copy;
  };
  return encodeJson(marked(value)).replaceAll(
    new RegExp(`"${mark}-(\\d+)"`, "g"),
    (_, index: string) => texts[Number(index)] ?? "",
  );
}

function carried(
  written: AsWritten | undefined,
  find: (from: AsWritten["spellings"], to: Spellings) => void,
): AsWritten | undefined {
  const spellings: Spellings = new Map();
  if (written !== undefined) {
    find(written.spellings, spellings);
  }
  return spellings.size === 0 ? undefined : { repeats: new Map(), spellings };
}

function carry(part: JsonValue, whole: JsonValue, from: AsWritten["spellings"], to: Spellings): void {
  const isSameList = Array.isArray(part) && Array.isArray(whole) && part.length === whole.length;
  if (!isSameList && !(isJsonObject(part) && isJsonObject(whole))) {
    return;
  }
  const spelled = from.get(part);
  for (const name of Object.keys(part)) {
    const key = isSameList ? Number(name) : name;
    const [before, after] = [(part as JsonObject)[name] ?? null, (whole as JsonObject)[name] ?? null];
    const text = spelled?.get(key);
    if (text !== undefined && before === after) {
      note(to, whole as JsonObject | JsonArray, key, text);
    }
    carry(before, after, from, to);
  }
}

function note(to: Spellings, holder: JsonObject | JsonArray, key: string | number, text: string): void {
  const known = to.get(holder);
  if (known === undefined) {
    to.set(holder, new Map([[key, text]]));
  } else {
    known.set(key, text);
  }
}

/** Resolves a JSON pointer to a holder and a key; `-` is the last item, which was the new one. */
function placeOf(
  pointer: string,
  root: JsonValue,
): { readonly holder: JsonObject | JsonArray; readonly key: string & number } | undefined {
  const names = pointer.split("/").slice(1);
  let holder: JsonValue | undefined = root;
  for (const [index, name] of names.entries()) {
    if (typeof holder !== "object" || holder === null) {
      return undefined;
    }
    const member = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const key: string | number = Array.isArray(holder) ? (member === "-" ? holder.length - 1 : Number(member)) : member;
    if (index === names.length - 1) {
      return { holder, key: key as string & number };
    }
    holder = (holder as JsonObject)[key as string];
  }
  return undefined;
}
