import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import { compareNaturally } from "./yaml/key-order.js";
import { escapeCharacter, styleOf } from "./yaml/style.js";

// The output of gopkg.in/yaml.v2, which kube-apiserver and kubectl share: keys in natural order, lists level with the key
// that holds them, long lines folded at column 80, and libyaml's choice between plain, quoted and literal text.

const bestWidth = 80;
const longestSimpleKey = 128;
const chunkLength = 64 * 1024;

/** Returns YAML as kube-apiserver answers `application/yaml`. */
export function encodeYaml(value: JsonValue): string {
  let text = "";
  for (const chunk of encodeYamlChunks(value)) {
    text += chunk;
  }
  return text;
}

/** Writes YAML in pieces of about 64 KiB, for callers that let other work run in between. */
export function encodeYamlChunks(value: JsonValue): Generator<string, void> {
  return new YamlWriter().chunks(value);
}

type Place = "top" | "key" | "item";

/** A list or map that is being written. */
interface Frame {
  readonly values: readonly JsonValue[];
  /** The keys of a map; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly indent: number;
  /** True if the first entry stands on the line of the dash before it. */
  readonly startsInLine: boolean;
  next: number;
}

/** Keeps lists and maps on a stack of its own, so that it can pause anywhere and depth costs no call frames. */
class YamlWriter {
  readonly #stack: Frame[] = [];
  #text = "";
  /** Characters on the line being written. */
  #column = 0;

  *chunks(root: JsonValue): Generator<string, void> {
    this.#value(root, 0, "top");
    for (let frame = this.#stack.at(-1); frame !== undefined; frame = this.#stack.at(-1)) {
      if (frame.next === frame.values.length) {
        this.#stack.pop();
      } else {
        this.#entry(frame);
      }
      if (this.#text.length >= chunkLength) {
        yield this.#text;
        this.#text = "";
      }
    }
    yield this.#text;
  }

  #write(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }

  #newline(indent = 0): void {
    this.#text += indent === 0 ? "\n" : `\n${" ".repeat(indent)}`;
    this.#column = indent;
  }

  /** Writes a value. `place`: after `key:`, after `- `, or at the top. `indent` is that of the value's own lines. */
  #value(value: JsonValue, indent: number, place: Place): void {
    if (typeof value === "object" && value !== null) {
      this.#collection(value, indent, place);
      return;
    }
    if (place === "key") {
      this.#write(" ");
    }
    this.#scalar(value, indent);
    this.#newline();
  }

  #collection(value: JsonArray | JsonObject, indent: number, place: Place): void {
    const isList = Array.isArray(value);
    const keys = isList ? undefined : presentKeys(value);
    const values = isList ? value : (keys ?? []).map((key) => value[key] as JsonValue);
    if (values.length === 0) {
      this.#write(`${place === "key" ? " " : ""}${isList ? "[]" : "{}"}`);
      this.#newline();
      return;
    }
    if (place === "key") {
      this.#newline();
    }
    // Below a key a list stands level with the key; inside a list it stands on the line of its dash.
    const own = isList && place === "key" ? indent - 2 : indent;
    this.#stack.push({ values, keys, indent: own, startsInLine: place === "item", next: 0 });
  }

  #entry(frame: Frame): void {
    const { indent, keys } = frame;
    const index = frame.next++;
    if (indent > 0 && (index > 0 || !frame.startsInLine)) {
      this.#write(" ".repeat(indent));
    }
    if (keys === undefined) {
      this.#write("- ");
    } else {
      this.#key(keys[index] as string, indent);
    }
    this.#value(frame.values[index] as JsonValue, indent + 2, keys === undefined ? "item" : "key");
  }

  #key(key: string, indent: number): void {
    if (Buffer.byteLength(key) > longestSimpleKey || key.includes("\n")) {
      this.#write("? ");
      this.#scalar(key, indent + 2);
      this.#newline(indent);
      this.#write(":");
    } else {
      this.#write(`${quoteKey(key)}:`);
    }
  }

  #scalar(value: JsonValue, indent: number): void {
    if (typeof value !== "string") {
      this.#write(typeof value === "number" ? formatNumber(value) : String(value));
      return;
    }
    switch (styleOf(value, false)) {
      case "plain":
        this.#folded(value, indent);
        break;
      case "single":
        this.#write("'");
        this.#folded(value.replaceAll("'", "''"), indent, true);
        this.#write("'");
        break;
      case "double":
        this.#doubleQuoted(value, indent);
        break;
      case "literal":
        this.#literal(value, indent);
    }
  }

  /** Writes text, broken at a space beyond the best width, unless another space follows. */
  #folded(value: string, indent: number, quoted = false): void {
    let written = 0;
    for (let at = value.indexOf(" "); at >= 0; at = value.indexOf(" ", at + 1)) {
      const inside = !quoted || (at > 0 && at < value.length - 1);
      const isLone = value.charCodeAt(at - 1) !== 0x20 && value.charCodeAt(at + 1) !== 0x20;
      if (isLone && inside && this.#column + at - written > bestWidth) {
        this.#write(value.slice(written, at));
        this.#newline(indent);
        written = at + 1;
      }
    }
    this.#write(value.slice(written));
  }

  #doubleQuoted(value: string, indent: number): void {
    this.#write('"');
    let spaces = false;
    const characters = [...value];
    for (const [i, character] of characters.entries()) {
      if (character !== " ") {
        this.#write(escapeCharacter(character));
      } else if (!spaces && this.#column > bestWidth && i > 0 && i < characters.length - 1) {
        this.#newline(indent);
        this.#write(characters[i + 1] === " " ? "\\" : "");
      } else {
        this.#write(" ");
      }
      spaces = character === " ";
    }
    this.#write('"');
  }

  #literal(value: string, indent: number): void {
    const lead = /^[ \n]/.test(value) ? "2" : "";
    const chomp = !value.endsWith("\n") ? "-" : value === "\n" || value.endsWith("\n\n") ? "+" : "";
    this.#write(`|${lead}${chomp}`);
    const lines = (value.endsWith("\n") ? value.slice(0, -1) : value).split("\n");
    const own = Math.max(indent, 2);
    for (const line of lines) {
      this.#newline(line === "" ? 0 : own);
      this.#write(line);
    }
  }
}

function presentKeys(map: JsonObject): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareNaturally);
}

function quoteKey(key: string): string {
  const style = styleOf(key, true);
  if (style === "plain") {
    return key;
  }
  return style === "single" ? `'${key.replaceAll("'", "''")}'` : `"${[...key].map(escapeCharacter).join("")}"`;
}

/** Returns a number in Go's shortest form: an exponent below -4 and from 21 on, of at least two digits. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    return String(value);
  }
  const magnitude = Math.abs(value);
  const text = magnitude < 1e-4 || magnitude >= 1e21 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
