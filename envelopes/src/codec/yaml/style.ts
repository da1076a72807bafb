import { hasBreak, isBreak } from "./line-breaks.js";
import { isPlainText } from "./plain-scalar.js";

/** The style of a scalar: plain, in quotes of either kind, or as a block of lines. */
export type YamlStyle = "plain" | "single" | "double" | "literal";

/** Returns the style that libyaml chooses for a text; keys stay on one line. */
export function styleOf(text: string, isKey: boolean): YamlStyle {
  const allowed = analyze(text);
  if (text.includes("\n") && !isKey && allowed.block) {
    return "literal";
  }
  // yaml.v2 writes a key `<<` plain, too, and reads it as a merge.
  if (text.includes("\n") || !isPlainText(text) || (isKey && text === "<<")) {
    return "double";
  }
  if (allowed.plain) {
    return "plain";
  }
  return allowed.single ? "single" : "double";
}

/** Analyzes a text like libyaml's `analyze_scalar`, for text outside flow collections. */
function analyze(text: string): { plain: boolean; single: boolean; block: boolean } {
  const special = !isPrintable(text) || / [\n\u2028\u2029]/.test(text);
  const breakSpace = /[\n\u2028\u2029] /.test(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?:[ \t]|$)/.test(text) ||
    /:(?:[ \t]|$)/.test(text.slice(1)) ||
    /[ \t]#/.test(text);
  const edges = text.startsWith(" ") || text.endsWith(" ");
  return {
    plain: !special && !breakSpace && !indicators && !edges && !hasBreak(text),
    single: !special && !breakSpace,
    block: !special && !text.endsWith(" "),
  };
}

/** Reports whether a key cannot stand before its colon, because libyaml sees several lines or more bytes than it allows. */
export function isComplexKey(key: string): boolean {
  return Buffer.byteLength(key) > longestSimpleKey || /[\r\n\u0085\u2028\u2029]/.test(key);
}

const longestSimpleKey = 128;

/** Reports whether the emitter leaves the text unescaped: no tabs or other control characters, nothing beyond the basic plane. */
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
  "\xa0": "\\_",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

/** Returns the characters of a text as they stand in double quotes. As in yaml.v2, all are escaped behind a byte order mark. */
export function escaped(text: string): string[] {
  const escapesAll = text.startsWith("\ufeff");
  return Array.from(text, (character) => (escapesAll || !isQuotable(character) ? escapeOf(character) : character));
}

/** Reports whether a character stands for itself in double quotes. */
function isQuotable(character: string): boolean {
  return isPrintable(character) && !isBreak(character.charCodeAt(0)) && character !== '"' && character !== "\\";
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return (
    shortEscapes[character] ??
    (code <= 0xff
      ? `\\x${hex.padStart(2, "0")}`
      : code <= 0xffff
        ? `\\u${hex.padStart(4, "0")}`
        : `\\U${hex.padStart(8, "0")}`)
  );
}
