import { DecodeError } from "../errors.js";

/** Reads the tokens of JSON text one after the other. Throws DecodeError with the texts of Go's decoder. */
export class JsonScanner {
  readonly #text: string;
  /** The index of the next character to read. */
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.at >= this.#text.length;
  }

  /** Returns the code of the next character that is no space, NaN at the end. */
  peek(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        return code;
      }
      this.at++;
    }
  }

  literal(word: "true" | "false" | "null"): void {
    for (let i = 1; i < word.length; i++) {
      this.at++;
      if (this.#text[this.at] !== word[i]) {
        throw this.unexpected(`in literal ${word} (expecting '${word[i]}')`);
      }
    }
    this.at++;
  }

  /** Reads the text of a number, and whether it is written as an integer. */
  number(): { readonly text: string; readonly isInteger: boolean } {
    const start = this.at;
    if (this.#text.charCodeAt(this.at) === 0x2d) {
      this.at++;
    }
    if (this.#text.charCodeAt(this.at) === 0x30) {
      this.at++;
    } else {
      this.#digits("in numeric literal");
    }
    const integerEnd = this.at;
    if (this.#text.charCodeAt(this.at) === 0x2e) {
      this.at++;
      this.#digits("after decimal point in numeric literal");
    }
    if ((this.#text.charCodeAt(this.at) | 0x20) === 0x65) {
      this.at++;
      const sign = this.#text.charCodeAt(this.at);
      if (sign === 0x2b || sign === 0x2d) {
        this.at++;
      }
      this.#digits("in exponent of numeric literal");
    }
    return { text: this.#text.slice(start, this.at), isInteger: this.at === integerEnd };
  }

  /** Reads a string whose opening quote is the next character. Half of a surrogate pair is replaced, as in Go. */
  string(): string {
    const start = this.at;
    let isPlain = true;
    for (;;) {
      this.at++;
      const code = this.#text.charCodeAt(this.at);
      if (code === 0x22) {
        this.at++;
        break;
      }
      if (code === 0x5c) {
        isPlain = false;
        this.#escape();
      } else if (code < 0x20 || Number.isNaN(code)) {
        throw this.unexpected("in string literal");
      }
    }
    if (isPlain) {
      return this.#text.slice(start + 1, this.at - 1);
    }
    const value = JSON.parse(this.#text.slice(start, this.at)) as string;
    return value.replace(/\p{Surrogate}/gu, "\uFFFD");
  }

  /** Returns an error about the next character. */
  unexpected(where: string): DecodeError {
    const character = this.#text.codePointAt(this.at);
    return new DecodeError(
      character === undefined
        ? "unexpected end of JSON input"
        : `invalid character ${quoteFirstByte(character)} ${where}`,
    );
  }

  #digits(where: string): void {
    const start = this.at;
    while (isDigit(this.#text.charCodeAt(this.at))) {
      this.at++;
    }
    if (this.at === start) {
      throw this.unexpected(where);
    }
  }

  #escape(): void {
    this.at++;
    const letter = this.#text[this.at];
    if (letter === "u") {
      for (let i = 0; i < 4; i++) {
        this.at++;
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.at] ?? "")) {
          throw this.unexpected("in \\u hexadecimal character escape");
        }
      }
    } else if (letter === undefined || !'bfnrt\\/"'.includes(letter)) {
      throw this.unexpected("in string escape code");
    }
  }
}

/** Reports whether a character code is one of 0 to 9; false for NaN. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const shortEscapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
  "\x07": "\\a",
};

/** Quotes the first byte of a character in UTF-8, as Go names the offending byte. */
function quoteFirstByte(character: number): string {
  const byte = character < 0x80 ? character : (Buffer.from(String.fromCodePoint(character))[0] ?? 0);
  const text = String.fromCharCode(byte);
  const short = shortEscapes[text];
  if (short !== undefined) {
    return `'${short}'`;
  }
  const isControl = byte < 0x20 || (byte >= 0x7f && byte < 0xa0);
  const hex = byte.toString(16);
  return `'${!isControl ? text : byte < 0x80 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`}'`;
}
