import { locateAll } from "./source-lines.js";

/** A mistake in an expression, and the place in its source. */
export interface CompileProblem {
  /** The message without its place: `undeclared reference to 'x' (in container '')`. */
  readonly message: string;
  /** Offset in the source, in UTF-16 units. -1: the mistake has no place, such as a source that is too long. */
  readonly offset: number;
}

/** The number of mistakes that are told; the others are counted. */
const maxProblems = 100;

/** The longest line that is shown, in bytes of UTF-8. */
const maxSnippetBytes = 16384;

/** The mistakes of an expression that does not compile. Its message has v1.29's text: places, lines and carets. */
export class CompileError extends Error {
  override readonly name = "CompileError";
  /** The mistakes in the order of their places. */
  readonly problems: readonly CompileProblem[];

  constructor(source: string, problems: readonly CompileProblem[]) {
    const told = problems.slice(0, maxProblems).sort((a, b) => a.offset - b.offset);
    const places = locateAll(
      source,
      told.map(({ offset }) => offset),
    );
    const texts = told.map(({ message }, index) => {
      const place = places[index];
      if (place === undefined) return `ERROR: <input>:-1:0: ${message}`;
      const head = `ERROR: <input>:${place.line}:${place.column + 1}: ${message}`;
      return source === "" ? head : `${head}${snippet(place.text, place.column)}`;
    });
    if (problems.length > maxProblems) texts.push(`${problems.length - maxProblems} more errors were truncated`);
    super(texts.join("\n"));
    this.problems = told;
  }
}

/** Returns the line of a mistake and a caret below it; nothing if the line is too long to be shown. */
function snippet(line: string, column: number): string {
  if (line.length > maxSnippetBytes || Buffer.byteLength(line) > maxSnippetBytes) return "";
  const shown = line.replaceAll("\t", " ");
  let dots = "";
  let counted = 0;
  let under = "";
  for (const character of shown) {
    if (counted === column) {
      under = character;
      break;
    }
    dots += isWide(character) ? "．" : ".";
    counted++;
  }
  return `\n | ${shown}\n | ${dots}${under !== "" && isWide(under) ? "＾" : "^"}`;
}

/** Tells whether a caret below a character is a wide one, as v1.29 has it: below everything that is not ASCII. */
function isWide(character: string): boolean {
  return character.charCodeAt(0) > 127;
}
