/** Limits of the cache: the number of texts, and the length of one of them. */
const maxTexts = 32;
const maxLength = 128 * 1024;

/**
 * A cache of JSON objects in longer texts. Objects of one kind mostly have the same fields, and comparing with a known
 * text takes less time than finding the end of an unknown one.
 */
export class RecentTexts {
  /** The texts, the most recent one first. */
  readonly #texts: string[] = [];

  /** Returns the known text that stands in `json` at `start`; undefined for none. */
  startingAt(json: string, start: number): string | undefined {
    const texts = this.#texts;
    for (let i = 0; i < texts.length; i++) {
      const text = texts[i] as string;
      // An object ends where it ends: no other one begins with it.
      if (json.startsWith(text, start)) {
        if (i > 0) {
          texts.copyWithin(1, 0, i);
          texts[0] = text;
        }
        return text;
      }
    }
    return undefined;
  }

  /** Remembers a text, unless it is very long, and returns it. */
  add(text: string): string {
    if (text.length > maxLength) {
      return text;
    }
    // What is kept must not hold on to the text of which it is a part.
    const own = Buffer.from(text).toString();
    if (this.#texts.length === maxTexts) {
      this.#texts.pop();
    }
    this.#texts.unshift(own);
    return own;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Returns the index behind the JSON object that begins at `start` of a valid JSON text. */
export function endOfObject(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfText(json, at);
    } else if (code === openingBrace) {
      depth++;
    } else if (code === closingBrace && --depth === 0) {
      return at + 1;
    }
  }
  return json.length;
}

/** Returns the index of the quote that ends the string beginning with the quote at `start`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (let code = json.charCodeAt(at); at < json.length && code !== quote; code = json.charCodeAt(at)) {
    at += code === backslash ? 2 : 1;
  }
  return at;
}
