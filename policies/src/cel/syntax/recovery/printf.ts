/**
 * Returns the text that Go's `Sprintf` makes of a format without arguments. v1.29 takes messages of syntax errors for
 * formats, so that a `%` in the source changes them.
 */
export function formatWithoutArguments(format: string): string {
  let text = "";
  let from = 0;
  for (let at = format.indexOf("%"); at >= 0; at = format.indexOf("%", from)) {
    const verb = new VerbReader(format, at + 1);
    text += format.slice(from, at) + verb.read();
    from = verb.at;
  }
  return text + format.slice(from);
}

/** Reads what follows a `%`: flags, width, precision, the index of an argument, and the letter. */
class VerbReader {
  at: number;
  readonly #format: string;
  #isIndexed = false;
  #isBadIndex = false;

  constructor(format: string, at: number) {
    this.#format = format;
    this.at = at;
  }

  read(): string {
    while ("#0+- ".includes(this.#next() || "none")) this.at++;
    this.#index();
    let problems = this.#number("%!(BADWIDTH)");
    if (this.#next() === ".") {
      this.at++;
      if (this.#isIndexed) this.#isBadIndex = true;
      this.#index();
      problems += this.#number("%!(BADPREC)");
    }
    if (!this.#isIndexed) this.#index();
    const verb = this.#next();
    this.at += verb.length;
    if (verb === "") return `${problems}%!(NOVERB)`;
    if (verb === "%") return `${problems}%`;
    return `${problems}%!${verb}(${this.#isBadIndex ? "BADINDEX" : "MISSING"})`;
  }

  /** Returns the next code point; "" at the end. */
  #next(): string {
    const point = this.#format.codePointAt(this.at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  /** Reads `[1]`. No index is right where there are no arguments. */
  #index(): void {
    this.#isIndexed = false;
    if (this.#next() !== "[") return;
    this.#isBadIndex = true;
    const close = this.#format.indexOf("]", this.at + 1);
    const isShort = this.#format.length - this.at < 3;
    this.#isIndexed = close >= 0 && !isShort && /^\d{1,7}$/.test(this.#format.slice(this.at + 1, close));
    this.at = close < 0 || isShort ? this.at + 1 : close + 1;
  }

  /** Reads a number, or `*`, which stands for an argument. */
  #number(problem: string): string {
    if (this.#next() === "*") {
      this.at++;
      this.#isIndexed = false;
      return problem;
    }
    const start = this.at;
    while (/^\d$/.test(this.#next())) this.at++;
    if (this.at > start && this.#isIndexed) this.#isBadIndex = true;
    return "";
  }
}
