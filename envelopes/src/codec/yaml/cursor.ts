import { DecodeError } from "../../errors.js";

/** A position in YAML text, with its column and with errors worded as in gopkg.in/yaml.v2. */
export class YamlCursor {
  readonly text: string;
  /** The index of the next character. */
  at = 0;
  #lineStart = 0;
  /**
   * The line number counted last, and its place. Lines are needed for errors and duplicates only, and counted on from
   * there.
   */
  #counted = { at: 0, line: 0 };

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** Returns the character at `at + offset`, empty at the end. */
  peek(offset = 0): string {
    return this.text.charAt(this.at + offset);
  }

  isBlank(offset = 0): boolean {
    const code = this.text.charCodeAt(this.at + offset);
    return code === 0x20 || code === 0x09;
  }

  /** Reports whether a space, a line break or the end of the text is at `at + offset`. */
  isSpace(offset = 0): boolean {
    const code = this.text.charCodeAt(this.at + offset);
    return code === 0x20 || code === 0x09 || code === 0x0a || Number.isNaN(code);
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** True at `---` or `...` at the beginning of a line. */
  get atDocumentMark(): boolean {
    if (this.column !== 0) {
      return false;
    }
    const isMark = this.text.startsWith("---", this.at) || this.text.startsWith("...", this.at);
    return isMark && this.isSpace(3);
  }

  /** Steps over a line break. */
  newline(): void {
    this.at++;
    this.#lineStart = this.at;
  }

  skipBlanks(): void {
    while (this.isBlank()) {
      this.at++;
    }
  }

  skipSpaces(atMost = Number.POSITIVE_INFINITY): void {
    while (this.text.charCodeAt(this.at) === 0x20 && this.column < atMost) {
      this.at++;
    }
  }

  /** The offset of the end of the current line. */
  get lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }

  /**
   * Steps over spaces, comments and line breaks, and over tabs where they cannot be taken for indentation: anywhere in
   * `flow`, on the rest of a `line`, nowhere in front of what may begin a `block`.
   */
  skipToToken(where: "flow" | "line" | "block"): { readonly crossedLine: boolean } {
    let crossedLine = false;
    let hasText: boolean | undefined;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x20) {
        this.at++;
      } else if (code === 0x09 && where !== "block") {
        hasText ??= where === "flow" || this.#hasTextBefore();
        if (!hasText) {
          return { crossedLine };
        }
        this.at++;
      } else if (code === 0x23) {
        this.at = this.lineEnd;
      } else if (code === 0x0a) {
        this.newline();
        crossedLine = true;
        hasText = where === "flow" ? hasText : undefined;
      } else {
        return { crossedLine };
      }
    }
  }

  /** Reports whether the line holds more than spaces before the cursor. */
  #hasTextBefore(): boolean {
    let at = this.at - 1;
    while (at >= this.#lineStart && this.text.charCodeAt(at) === 0x20) {
      at--;
    }
    return at >= this.#lineStart;
  }

  /** Returns the number of the line that holds an offset, from 0. Offsets must only grow. */
  lineOf(offset: number): number {
    const counted = this.#counted;
    for (let at = this.text.indexOf("\n", counted.at); at >= 0 && at < offset; at = this.text.indexOf("\n", at + 1)) {
      counted.line++;
      counted.at = at + 1;
    }
    return counted.line;
  }

  /** Returns an error in a token. `yaml.v2` leaves the first line unnamed. */
  scanError(problem: string, at = this.at): DecodeError {
    const line = this.lineOf(at);
    return new DecodeError(`yaml: ${line === 0 ? "" : `line ${line + 1}: `}${problem}`);
  }

  /** Returns an error in the order of tokens; `yaml.v2` counts its lines from zero. */
  parseError(problem: string, at = this.at): DecodeError {
    // The end of the text is a token, too, and stands on a line of its own.
    const isOwnLine = at >= this.text.length && at > 0 && !this.text.endsWith("\n");
    const line = this.lineOf(at) + (isOwnLine ? 1 : 0);
    return new DecodeError(`yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`);
  }
}
