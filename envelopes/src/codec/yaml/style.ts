import { readsAsText } from "./plain-scalar.js";

/** The style of a scalar: plain, in quotes of either kind, or as a block of lines. */
export type YamlStyle = "plain" | "single" | "double" | "literal";

/** Returns the style that libyaml chooses for a text; keys stay on one line. */
export function styleOf(text: string, isKey: boolean): YamlStyle {
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

/** Analyzes a text like libyaml's `analyze_scalar`, for text outside flow collections. */
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

/**
 * Reports whether the emitter leaves the text unescaped: no tabs or other control characters, nothing beyond the basic
 * plane. Unicode's own line breaks are escaped, too, which libyaml writes in several ways, with spaces behind them.
 */
function isPrintable(text: string): boolean {
  return !/[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u.test(text);
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

/** Returns a character as it stands in double quotes. */
export function escapeCharacter(character: string): string {
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
