import { copyJson, encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** The part of one plugin or webhook in a write. */
export interface BlameEntry {
  /** The plugin or webhook: `plugin NAME` or `webhook CONFIGURATION/NAME`. */
  readonly by: string;
  readonly phase: "admit" | "validate";
  /** The time that it took, in milliseconds. */
  readonly ms: number;
  /** JSON pointers of the fields that it set or removed, at most `maxFields`. */
  readonly changed: readonly string[];
}

/** Number of fields that are listed for each plugin or webhook. */
const maxFields = 50;
/** Length limit of the text in a header. */
const maxHeaderLength = 8192;

/**
 * The record of the fields that each plugin and webhook changed in one write, and of their times (`--admission-blame`).
 */
export class Blame {
  readonly #entries: BlameEntry[] = [];

  get entries(): readonly BlameEntry[] {
    return this.#entries;
  }

  /** Returns a copy of the object as it is now, for a later comparison. */
  snapshot(object: JsonObject | undefined): JsonObject | undefined {
    return object === undefined ? undefined : (copyJson(object) as JsonObject);
  }

  note(by: string, phase: BlameEntry["phase"], ms: number, before?: JsonObject, after?: JsonObject): void {
    const changed = before === undefined || after === undefined ? [] : changedFields(before, after);
    this.#entries.push({ by, phase, ms: Math.round(ms * 1000) / 1000, changed });
  }

  /** Returns the record as an audit annotation. */
  text(): string {
    return encodeJson(this.#entries as unknown as JsonValue);
  }

  /**
   * Returns the record as a header in ASCII. Where it would be too long, entries without changes are left out, then the
   * last ones.
   */
  headerText(): string {
    const whole = ascii(this.text());
    if (whole.length <= maxHeaderLength) {
      return whole;
    }
    let entries = this.#entries.filter(({ changed }) => changed.length > 0);
    let text = ascii(JSON.stringify(entries));
    while (text.length > maxHeaderLength && entries.length > 0) {
      entries = entries.slice(0, -1);
      text = ascii(JSON.stringify(entries));
    }
    return text;
  }
}

function ascii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns pointers to the smallest parts that differ. Field ownership is left out: the server keeps that itself. */
function changedFields(before: JsonValue, after: JsonValue): readonly string[] {
  const found: string[] = [];
  const pending: { readonly path: string; readonly a: JsonValue | undefined; readonly b: JsonValue | undefined }[] = [
    { path: "", a: before, b: after },
  ];
  for (let next = pending.shift(); next !== undefined && found.length < maxFields; next = pending.shift()) {
    const { path, a, b } = next;
    if (path === "/metadata/managedFields" || isSameJson(a, b)) {
      continue;
    }
    const keys = memberNames(a, b);
    if (keys === undefined) {
      found.push(path);
      continue;
    }
    for (const key of keys) {
      pending.push({ path: `${path}/${escaped(key)}`, a: memberOf(a, key), b: memberOf(b, key) });
    }
  }
  return found;
}

/** Returns the names of the members of both values; undefined unless both are lists or both are objects. */
function memberNames(a: JsonValue | undefined, b: JsonValue | undefined): readonly string[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => String(index));
  }
  return isJsonObject(a) && isJsonObject(b) ? [...new Set([...Object.keys(a), ...Object.keys(b)])] : undefined;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value[Number(key)];
  }
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
