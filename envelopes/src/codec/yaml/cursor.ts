import { DecodeError } from "../../errors.js";
import { isBreak } from "./line-breaks.js";

/** A position in YAML text, with its column and with errors worded as in gopkg.in/yaml.v2. */
export class YamlCursor {
  readonly text: string;
  /** The index of the next character. */
  at = 0;
  #lineStart = 0;
  /** Finds line breaks in a text that has others than `\n`; undefined for most. */
  readonly #separators: RegExp | undefined;
  /**
   * The line number counted last, and its place. Lines are needed for errors and duplicates only, and counted on from
   * there.
   */
  #counted = { at: 0, line: 0 };

  constructor(text: string) {
    this.text = text;
    this.#separators = /[\u2028\u2029]/.test(text) ? /[\n\u2028\u2029]/g : undefined;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** Goes back to an index whose column is known. */
  returnTo(at: number, column: number): void {
    this.at = at;
    this.#lineStart = at - column;
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
    return code === 0x20 || code === 0x09 || isBreak(code) || Number.isNaN(code);
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

  get atBreak(): boolean {
    return isBreak(this.text.charCodeAt(this.at));
  }

  /** True at a `%` at the beginning of a line, which ends a document. */
  get atDirective(): boolean {
    return this.column === 0 && this.peek() === "%";
  }

  /** True where the document ends, and what is open by indentation: at a mark, a directive, or the end of the text. */
  get atDocumentEnd(): boolean {
    return this.atEnd || this.atDocumentMark || this.atDirective;
  }

  /** Reports whether a character that is an indicator in front of a space only (`-`, `?`, `:`) is one here. */
  atIndicator(character: string): boolean {
    return this.peek() === character && this.isSpace(1);
  }

  /** Steps over blanks and the colon behind a key on the same line. Returns false when there is none. */
  takeColon(isInFlow: boolean): boolean {
    this.skipBlanks();
    if (this.peek() !== ":" || !(isInFlow || this.isSpace(1))) {
      return false;
    }
    this.at++;
    return true;
  }

  /** Steps over what a sticky expression matches, and returns it. */
  take(expression: RegExp): string {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  /** Steps over a line break, and returns it. */
  newline(): string {
    const found = this.peek();
    this.at++;
    this.#lineStart = this.at;
    return found;
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
    return this.#breakFrom(this.at);
  }

  /** Steps over blanks and a comment to the end of the line. Throws DecodeError when anything else stands there. */
  skipToLineEnd(): void {
    this.skipBlanks();
    if (this.peek() === "#") {
      this.at = this.lineEnd;
    }
    if (!this.atEnd && !this.atBreak) {
      throw this.scanError("did not find expected comment or line break");
    }
  }

  /** Returns the index of the first line break from `at` on, or the end of the text. */
  #breakFrom(at: number): number {
    if (this.#separators === undefined) {
      const end = this.text.indexOf("\n", at);
      return end < 0 ? this.text.length : end;
    }
    this.#separators.lastIndex = at;
    return this.#separators.exec(this.text)?.index ?? this.text.length;
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
      } else if (isBreak(code)) {
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
    for (let at = this.#breakFrom(counted.at); at < this.text.length && at < offset; at = this.#breakFrom(at + 1)) {
      counted.line++;
      counted.at = at + 1;
    }
    return counted.line;
  }

  /** Returns an error in a token. */
  scanError(problem: string, at = this.at): DecodeError {
    return scanErrorIn(this.lineOf(at), problem);
  }

  /** Returns the error for a key without a colon, which shows at the next token. */
  missingColon(): DecodeError {
    this.skipToToken("line");
    return scanErrorIn(this.#tokenLine(this.at), "could not find expected ':'");
  }

  /** Returns an error in the order of tokens; `yaml.v2` counts its lines from zero. */
  parseError(problem: string, at = this.at): DecodeError {
    return errorIn(this.#tokenLine(at), problem);
  }

  /** Returns the line of a token, from 0. The end of the text is a token, too, and stands on a line of its own. */
  #tokenLine(at: number): number {
    const isOwnLine = at >= this.text.length && at > 0 && !isBreak(this.text.charCodeAt(this.text.length - 1));
    return this.lineOf(at) + (isOwnLine ? 1 : 0);
  }
}

/** Returns an error in a token of a line, counted from 0. `yaml.v2` counts from one here, and leaves the first line unnamed. */
function scanErrorIn(line: number, problem: string): DecodeError {
  return errorIn(line === 0 ? 0 : line + 1, problem);
}

/** Returns an error that names a line other than 0. */
function errorIn(line: number, problem: string): DecodeError {
  return new DecodeError(`yaml: ${line === 0 ? "" : `line ${line}: `}${problem}`);
}
