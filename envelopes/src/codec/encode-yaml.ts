import type { JsonArray, JsonObject, JsonValue } from "../json.js";
import { readsAsText } from "./yaml-scalar.js";

// The output of gopkg.in/yaml.v2, which kube-apiserver and kubectl share: keys in natural order, lists level with the key
// that holds them, long lines folded at column 80, and libyaml's choice between plain, quoted and literal text.

const bestWidth = 80;
const longestSimpleKey = 128;

/** YAML as kube-apiserver answers `application/yaml`. */
export function encodeYaml(value: JsonValue): string {
  const writer = new YamlWriter();
  writer.root(value);
  return writer.text;
}

class YamlWriter {
  text = "";

  root(value: JsonValue): void {
    this.#value(value, 0, "top");
  }

  /** `place`: after `key:`, after `- `, or at the top. `indent` is that of the value's own lines. */
  #value(value: JsonValue, indent: number, place: "top" | "key" | "item"): void {
    if (typeof value === "object" && value !== null) {
      const isList = Array.isArray(value);
      if (isList ? value.length === 0 : Object.keys(value).length === 0) {
        this.#inline(isList ? "[]" : "{}", place);
      } else if (isList) {
        this.#list(value, indent, place);
      } else {
        this.#map(value, indent, place);
      }
      return;
    }
    if (place === "key") {
      this.text += " ";
    }
    this.#scalar(value, indent);
    this.text += "\n";
  }

  #inline(text: string, place: "top" | "key" | "item"): void {
    this.text += `${place === "key" ? " " : ""}${text}\n`;
  }

  #list(items: JsonArray, indent: number, place: "top" | "key" | "item"): void {
    // Below a key a list stands level with the key; inside a list it stands on the line of its dash.
    const own = place === "key" ? indent - 2 : indent;
    if (place === "key") {
      this.text += "\n";
    }
    for (const [index, item] of items.entries()) {
      this.text += `${place === "item" && index === 0 ? "" : " ".repeat(own)}- `;
      this.#value(item, own + 2, "item");
    }
  }

  #map(map: JsonObject, indent: number, place: "top" | "key" | "item"): void {
    if (place === "key") {
      this.text += "\n";
    }
    const keys = Object.keys(map)
      .filter((key) => map[key] !== undefined)
      .sort(compareNaturally);
    for (const [index, key] of keys.entries()) {
      this.text += place === "item" && index === 0 ? "" : " ".repeat(indent);
      if (Buffer.byteLength(key) > longestSimpleKey || key.includes("\n")) {
        this.text += "? ";
        this.#scalar(key, indent + 2);
        this.text += `\n${" ".repeat(indent)}:`;
      } else {
        this.text += `${quoteKey(key)}:`;
      }
      this.#value(map[key] as JsonValue, indent + 2, "key");
    }
  }

  #scalar(value: JsonValue, indent: number): void {
    if (typeof value !== "string") {
      this.text += typeof value === "number" ? formatNumber(value) : String(value);
      return;
    }
    const style = styleOf(value, false);
    switch (style) {
      case "plain":
        this.#folded(value, indent);
        break;
      case "single":
        this.text += "'";
        this.#folded(value.replaceAll("'", "''"), indent, true);
        this.text += "'";
        break;
      case "double":
        this.#doubleQuoted(value, indent);
        break;
      case "literal":
        this.#literal(value, indent);
    }
  }

  get #column(): number {
    return this.text.length - this.text.lastIndexOf("\n") - 1;
  }

  /** Breaks the line at a space beyond the best width, unless another space follows. */
  #folded(value: string, indent: number, quoted = false): void {
    let column = this.#column;
    for (let i = 0; i < value.length; i++) {
      const inside = !quoted || (i > 0 && i < value.length - 1);
      const isLoneSpace = value[i] === " " && value[i - 1] !== " " && value[i + 1] !== " ";
      if (isLoneSpace && inside && column > bestWidth) {
        this.text += `\n${" ".repeat(indent)}`;
        column = indent;
      } else {
        this.text += value[i];
        column++;
      }
    }
  }

  #doubleQuoted(value: string, indent: number): void {
    this.text += '"';
    let column = this.#column;
    let spaces = false;
    const characters = [...value];
    for (const [i, character] of characters.entries()) {
      if (character === " ") {
        if (!spaces && column > bestWidth && i > 0 && i < characters.length - 1) {
          const guard = characters[i + 1] === " " ? "\\" : "";
          this.text += `\n${" ".repeat(indent)}${guard}`;
          column = indent + guard.length;
        } else {
          this.text += " ";
          column++;
        }
        spaces = true;
        continue;
      }
      const written = escapeCharacter(character);
      this.text += written;
      column += written.length;
      spaces = false;
    }
    this.text += '"';
  }

  #literal(value: string, indent: number): void {
    const lead = /^[ \n]/.test(value) ? "2" : "";
    const chomp = !value.endsWith("\n") ? "-" : value === "\n" || value.endsWith("\n\n") ? "+" : "";
    this.text += `|${lead}${chomp}`;
    const lines = (value.endsWith("\n") ? value.slice(0, -1) : value).split("\n");
    const pad = " ".repeat(Math.max(indent, 2));
    for (const line of lines) {
      this.text += line === "" ? "\n" : `\n${pad}${line}`;
    }
  }
}

type Style = "plain" | "single" | "double" | "literal";

function quoteKey(key: string): string {
  const style = styleOf(key, true);
  if (style === "plain") {
    return key;
  }
  return style === "single" ? `'${key.replaceAll("'", "''")}'` : `"${[...key].map(escapeCharacter).join("")}"`;
}

function styleOf(text: string, isKey: boolean): Style {
  const allowed = analyze(text);
  if (text.includes("\n") && !isKey && allowed.block) {
    return "literal";
  }
  if (text.includes("\n") || !readsAsText(text)) {
    return "double";
  }
  if (allowed.plain) {
    return "plain";
  }
  return allowed.single ? "single" : "double";
}

/** libyaml's `analyze_scalar`, for text outside flow collections. */
function analyze(text: string): { plain: boolean; single: boolean; block: boolean } {
  const special = !isPrintable(text) || / \n/.test(text);
  const breakSpace = /\n /.test(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?:[ \t]|$)/.test(text) ||
    /:(?:[ \t]|$)/.test(text.slice(1)) ||
    /[ \t\n]#/.test(text);
  const edges = /^[ \n]|[ \n]$/.test(text);
  return {
    plain: !special && !breakSpace && !indicators && !edges && !text.includes("\n"),
    single: !special && !breakSpace,
    block: !special && !text.endsWith(" "),
  };
}

/** What the emitter leaves unescaped: no tabs or other control characters, nothing beyond the basic plane. */
function isPrintable(text: string): boolean {
  return !/[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u.test(text);
}

const shortEscapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\x85": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) {
    return short;
  }
  if (isPrintable(character)) {
    return character;
  }
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${hex.padStart(2, "0")}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, "0")}`
      : `\\U${hex.padStart(8, "0")}`;
}

/** Go's shortest form: an exponent below -4 and from 21 on, of at least two digits. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    return String(value);
  }
  const magnitude = Math.abs(value);
  const text = magnitude < 1e-4 || magnitude >= 1e21 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** yaml.v2's order of keys: letters after everything else, runs of digits by their number. */
function compareNaturally(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  for (let i = 0; i < x.length && i < y.length; i++) {
    const p = x[i] as string;
    const q = y[i] as string;
    if (p === q) {
      continue;
    }
    const pLetter = /\p{L}/u.test(p);
    const qLetter = /\p{L}/u.test(q);
    if (pLetter !== qLetter) {
      return pLetter ? 1 : -1;
    }
    return (pLetter ? 0 : compareNumbers(x, y, i)) || (p.codePointAt(0) ?? 0) - (q.codePointAt(0) ?? 0);
  }
  return x.length - y.length;
}

/** Of the digits from `at` on; zero when neither has any. */
function compareNumbers(x: readonly string[], y: readonly string[], at: number): number {
  let lead = "";
  if (x[at] === "0" || y[at] === "0") {
    for (let i = at - 1; i >= 0 && /\p{Nd}/u.test(x[i] as string); i--) {
      if (x[i] !== "0") {
        lead = "1";
        break;
      }
    }
  }
  const left = digitsFrom(x, at);
  const right = digitsFrom(y, at);
  const difference = BigInt(`0${lead}${left}`) - BigInt(`0${lead}${right}`);
  return difference < 0n ? -1 : difference > 0n ? 1 : left.length - right.length;
}

function digitsFrom(characters: readonly string[], at: number): string {
  let end = at;
  while (end < characters.length && end < at + 18 && /[0-9]/.test(characters[end] as string)) {
    end++;
  }
  return characters.slice(at, end).join("");
}
