/** Text that is being written as YAML, and where on its last line the next character will stand. */
export class YamlOutput {
  #text = "";
  /** Characters on the last line. */
  #column = 0;
  /** True if nothing but indentation and the marks of entries (`-`, `?`, `:`) stands on the last line. */
  #isIndention = true;
  /** True if whatever follows needs no space before it. */
  #isWhitespace = true;

  get column(): number {
    return this.#column;
  }

  /** Characters that have not been taken yet. */
  get length(): number {
    return this.#text.length;
  }

  /** Returns what has been written since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Writes text without line breaks. */
  write(text: string): void {
    this.#append(text);
    this.#isIndention = false;
    this.#isWhitespace = false;
  }

  /** Writes what begins a value, a quote or a bracket, apart from what stands before it on the line. */
  begin(text: string): void {
    this.write(this.#isWhitespace ? text : ` ${text}`);
  }

  /** Writes the mark of an entry. What follows may be another collection, whose first entry stands on the same line. */
  mark(text: string): void {
    this.#append(this.#isWhitespace ? text : ` ${text}`);
    this.#isWhitespace = false;
  }

  /** Ends the line with one of YAML's line breaks. */
  breakLine(character = "\n"): void {
    this.#text += character;
    this.#column = 0;
    this.#isIndention = true;
    this.#isWhitespace = true;
  }

  /** Moves to a column, on a new line unless nothing stands there or behind it yet. */
  indent(column: number): void {
    if (!this.#isIndention || this.#column > column || (this.#column === column && !this.#isWhitespace)) {
      this.breakLine();
    }
    this.#append(" ".repeat(column - this.#column));
    this.#isWhitespace = true;
    this.#isIndention = true;
  }

  #append(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }
}
