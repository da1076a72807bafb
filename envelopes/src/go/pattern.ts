/** The reason why a text is no regular expression. */
class PatternError extends Error {}

const maxRepeat = 1000;
const maxDepth = 1000;
/**
 * Characters and classes of a pattern, each as often as it may be repeated. Go allows some millions: to compile so many
 * would hold up all other requests for seconds (docs/decisions/0014). The largest patterns known have some hundreds.
 */
export const maxPatternSize = 5000;

/**
 * Returns the reason why Go's package regexp would not compile a pattern, in its words; undefined when it would. Only
 * the syntax is checked (RE2, without look-around and back-references), in one pass. A pattern that is too large here,
 * but not for Go, is refused in Go's words for one that is larger; `maxSize` counts characters and classes as
 * `maxPatternSize` does.
 */
export function goPatternProblem(pattern: string, maxSize: number = maxPatternSize): string | undefined {
  try {
    new PatternReader(pattern, maxSize).read();
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) {
      return `error parsing regexp: ${error.message}`;
    }
    throw error;
  }
}

function fail(what: string, expression: string): never {
  throw new PatternError(`${what}: \`${expression}\``);
}

/**
 * A group that is being read. `weight` is the largest number of repetitions of its content over all levels: Go bounds
 * the product.
 */
interface Group {
  weight: number;
  /** The weight of the part that a repetition would repeat; undefined where there is none. */
  last: number | undefined;
  /** Characters and classes in it, repeated ones as often as they may be. */
  size: number;
  /** Size of the part that a repetition would repeat. */
  lastSize: number;
}

function newGroup(): Group {
  return { weight: 1, last: undefined, size: 0, lastSize: 0 };
}

class PatternReader {
  readonly #text: string;
  readonly #maxSize: number;
  readonly #groups: Group[] = [newGroup()];
  readonly #names = new Set<string>();
  #at = 0;
  /** Start of the repetition right before this position; undefined when there is none. */
  #lastRepeat: number | undefined;

  constructor(text: string, maxSize: number) {
    this.#text = text;
    this.#maxSize = maxSize;
  }

  read(): void {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const repeats = this.#readOne(this.#text[start] as string);
      this.#lastRepeat = repeats ? start : undefined;
    }
    if (this.#groups.length > 1) {
      fail("missing closing )", this.#text);
    }
  }

  /** Reads what begins with this character; true when it is a repetition. */
  #readOne(character: string): boolean {
    switch (character) {
      case "(":
        this.#openGroup();
        return false;
      case ")":
        this.#closeGroup();
        return false;
      case "|":
        this.#at++;
        this.#group.last = undefined;
        return false;
      case "[":
        this.#at = classEnd(this.#text, this.#at);
        this.#take(1);
        return false;
      case "*":
      case "+":
      case "?":
        this.#repeat(1, this.#at + 1);
        return true;
      case "{":
        return this.#readBraces();
      case "\\":
        this.#readEscape();
        return false;
      default:
        this.#at += (this.#text.codePointAt(this.#at) as number) > 0xffff ? 2 : 1;
        this.#take(1);
        return false;
    }
  }

  get #group(): Group {
    return this.#groups[this.#groups.length - 1] as Group;
  }

  /** Takes what a repetition may repeat next. */
  #take(weight: number, size = 1): void {
    const group = this.#group;
    group.last = weight;
    group.weight = Math.max(group.weight, weight);
    group.lastSize = size;
    this.#grow(group, size);
  }

  #grow(group: Group, size: number): void {
    group.size += size;
    if (group.size > this.#maxSize) {
      fail("expression too large", this.#text);
    }
  }

  #openGroup(): void {
    const text = this.#text;
    if (text.startsWith("(?", this.#at)) {
      if (!this.#readFlags()) {
        return;
      }
    } else {
      this.#at++;
    }
    this.#groups.push(newGroup());
    if (this.#groups.length > maxDepth) {
      fail("expression nests too deeply", text);
    }
  }

  #closeGroup(): void {
    if (this.#groups.length === 1) {
      fail("unexpected )", this.#text);
    }
    this.#at++;
    const { weight, size } = this.#groups.pop() as Group;
    this.#take(weight, size + 1);
  }

  /** Reads `(?...`: a name or flags. True when a group begins with it. */
  #readFlags(): boolean {
    const text = this.#text;
    const start = this.#at;
    const rest = text.slice(start, start + 4);
    if (rest.startsWith("(?P<") || (rest.startsWith("(?<") && !/^\(\?<[=!]/.test(rest))) {
      this.#readName(start, rest.startsWith("(?P<") ? start + 4 : start + 3);
      return true;
    }
    let negative = false;
    let sawFlag = false;
    let at = start + 2;
    while (at < text.length) {
      const flag = text[at] as string;
      at++;
      if ("imsU".includes(flag)) {
        sawFlag = true;
      } else if (flag === "-" && !negative) {
        negative = true;
        sawFlag = false;
      } else if ((flag === ":" || flag === ")") && (!negative || sawFlag)) {
        this.#at = at;
        return flag === ":";
      } else {
        break;
      }
    }
    return fail("invalid or unsupported Perl syntax", text.slice(start, at));
  }

  #readName(start: number, nameStart: number): void {
    const end = this.#text.indexOf(">", nameStart);
    if (end < 0) {
      fail("invalid named capture", this.#text.slice(start));
    }
    const name = this.#text.slice(nameStart, end);
    if (!/^\w+$/.test(name)) {
      fail("invalid named capture", this.#text.slice(start, end + 1));
    }
    if (this.#names.has(name)) {
      fail("duplicate capture group name", this.#text.slice(start, end + 1));
    }
    this.#names.add(name);
    this.#at = end + 1;
  }

  /** Reads `{n}`, `{n,}` or `{n,m}`; anything else in braces stands for itself. */
  #readBraces(): boolean {
    const match = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.#text.slice(this.#at, this.#at + 64));
    if (match === null) {
      this.#at++;
      this.#take(1);
      return false;
    }
    const least = Number(match[1]);
    const most = match[3] === undefined ? least : Number(match[3]);
    const end = this.#at + match[0].length;
    if (least > maxRepeat || most > maxRepeat || most < least) {
      fail("invalid repeat count", match[0]);
    }
    this.#repeat(Math.max(most, 1), end);
    return true;
  }

  #repeat(times: number, operatorEnd: number): void {
    const text = this.#text;
    const start = this.#at;
    const { last } = this.#group;
    const end = text[operatorEnd] === "?" ? operatorEnd + 1 : operatorEnd;
    if (this.#lastRepeat !== undefined) {
      fail("invalid nested repetition operator", text.slice(this.#lastRepeat, end));
    }
    if (last === undefined) {
      fail("missing argument to repetition operator", text.slice(start, end));
    }
    const weight = last * times;
    if (times > 1 && weight > maxRepeat) {
      fail("invalid repeat count", text.slice(start, end));
    }
    this.#at = end;
    this.#group.last = weight;
    this.#group.weight = Math.max(this.#group.weight, weight);
    this.#grow(this.#group, this.#group.lastSize * (times - 1));
  }

  #readEscape(): void {
    const text = this.#text;
    if (text.startsWith("\\Q", this.#at)) {
      const end = text.indexOf("\\E", this.#at + 2);
      if (end !== this.#at + 2) {
        this.#take(1);
      }
      this.#at = end < 0 ? text.length : end + 2;
      return;
    }
    this.#at = /^[AbBz]/.test(text[this.#at + 1] ?? "") ? this.#at + 2 : escapeEnd(text, this.#at);
    this.#take(1);
  }
}

/** Returns the end of the class that begins at `start`. */
function classEnd(text: string, start: number): number {
  const whole = text.slice(start);
  let at = start + (text[start + 1] === "^" ? 2 : 1);
  let mayName = true;
  for (let first = true; first || text[at] !== "]"; first = false) {
    if (mayName && text.startsWith("[:", at)) {
      const end = text.indexOf(":]", at + 2);
      // The end of a name that is not there is looked for once: each search goes through the rest of the text.
      mayName = end >= 0;
      if (mayName) {
        const name = text.slice(at, end + 2);
        if (!posixClass.test(name)) {
          fail("invalid character class range", name);
        }
        at = end + 2;
        continue;
      }
    }
    if (/^\\[dDsSwWpP]/.test(text.slice(at, at + 2))) {
      at = escapeEnd(text, at);
      continue;
    }
    const rangeStart = at;
    const low = classCharacter(text, at, whole);
    at = low.end;
    if (text[at] === "-" && at + 1 < text.length && text[at + 1] !== "]") {
      const high = classCharacter(text, at + 1, whole);
      at = high.end;
      if (high.code < low.code) {
        fail("invalid character class range", text.slice(rangeStart, at));
      }
    }
  }
  return at + 1;
}

const posixClass = /^\[:\^?(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]$/;

function classCharacter(text: string, at: number, whole: string): { readonly code: number; readonly end: number } {
  if (at >= text.length) {
    fail("missing closing ]", whole);
  }
  if (text[at] === "\\") {
    const end = escapeEnd(text, at);
    return { code: escapeCode(text.slice(at, end)), end };
  }
  const code = text.codePointAt(at) as number;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

function escapeCode(sequence: string): number {
  const letter = sequence[1] as string;
  if (letter === "x") {
    return Number.parseInt(sequence.replace(/[^0-9a-fA-F]/g, ""), 16);
  }
  if (/[0-7]/.test(letter)) {
    return Number.parseInt(sequence.slice(1), 8);
  }
  return controls[letter] ?? letter.codePointAt(0) ?? 0;
}

/** Returns the end of the escape sequence that begins at `start` and stands for characters. */
function escapeEnd(text: string, start: number): number {
  const letter = text[start + 1];
  if (letter === undefined) {
    return fail("trailing backslash at end of expression", "");
  }
  const rest = text.slice(start, start + 64);
  if (letter === "p" || letter === "P") {
    return start + unicodeClass(rest).length;
  }
  const match =
    /^\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9a-fA-F]{2}|x\{[0-9a-fA-F]+\}|[afnrtvdDsSwW]|[^\p{L}\p{N}\u0080-\u{10ffff}])/u.exec(
      rest,
    );
  if (match === null || (letter === "x" && escapeCode(match[0]) > 0x10ffff)) {
    const bad = letter === "x" ? /^\\x(?:\{[0-9a-fA-F]*.?|[0-9a-fA-F]?.?)/u : /^\\./u;
    return fail("invalid escape sequence", bad.exec(rest)?.[0] ?? rest);
  }
  return start + match[0].length;
}

function unicodeClass(rest: string): string {
  const found = /^\\[pP](?:\{\^?([^}]*)\}|([^{]))/u.exec(rest);
  const name = found?.[1] ?? found?.[2] ?? "";
  if (found === null || !isUnicodeClass(name)) {
    return fail("invalid character class range", found?.[0] ?? rest);
  }
  return found[0];
}

/** Names that have been looked up; those of classes are few, and to look one up is to compile an expression. */
const unicodeClasses = new Map<string, boolean>([["Any", true]]);
const maxKnownClasses = 1000;

function isUnicodeClass(name: string): boolean {
  let known = unicodeClasses.get(name);
  if (known === undefined) {
    known = isKnownToEngine(name);
    if (unicodeClasses.size < maxKnownClasses) {
      unicodeClasses.set(name, known);
    }
  }
  return known;
}

function isKnownToEngine(name: string): boolean {
  return [`\\p{${name}}`, `\\p{Script=${name}}`].some((source) => {
    try {
      return /^\w+$/.test(name) && new RegExp(source, "u").source !== "";
    } catch {
      return false;
    }
  });
}
