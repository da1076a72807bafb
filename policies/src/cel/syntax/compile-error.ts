import { locateAll, type SourcePlace } from "./source-lines.js";

/** A mistake in an expression, and the place in its source. */
export interface CompileProblem {
  /** The message without its place: `undeclared reference to 'x' (in container '')`. */
  readonly message: string;
  /** Offset in the source, in UTF-16 units; or `noPlace`, or `beforeSource`. */
  readonly offset: number;
}

/** The offset of a mistake of the whole source, such as that it is too long. */
export const noPlace = -2;

/** The offset of a mistake in a part that is missing: v1.29 shows it before the first character, in column 0. */
export const beforeSource = -1;

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
    const offsets = told.map(({ offset }) => Math.max(offset, 0));
    const places = locateAll(source, offsets);
    const texts = told.map((problem, index) => describe(problem, places[index], source));
    if (problems.length > maxProblems) texts.push(`${problems.length - maxProblems} more errors were truncated`);
    super(texts.join("\n"));
    this.problems = told;
  }
}

function describe({ message, offset }: CompileProblem, place: SourcePlace | undefined, source: string): string {
  if (offset === noPlace || place === undefined) return `ERROR: <input>:-1:0: ${message}`;
  const column = offset === beforeSource ? -1 : place.column;
  const head = `ERROR: <input>:${place.line}:${column + 1}: ${message}`;
  return source === "" ? head : head + snippet(place.text, column);
}

/** Returns the line of a mistake and a caret below it; nothing if the line is too long to be shown. */
function snippet(line: string, column: number): string {
  if (line.length > maxSnippetBytes || Buffer.byteLength(line) > maxSnippetBytes) return "";
  const shown = line.replaceAll("\t", " ");
  let dots = "";
  let counted = 0;
  let under = "";
  for (const character of shown) {
    if (counted >= column) {
      under = character;
      break;
    }
    dots += isWide(character) ? "．" : ".";
    counted++;
  }
  return `\n | ${shown}\n | ${dots}${isWide(under) ? "＾" : "^"}`;
}

/** Tells whether a caret below a character is a wide one, as v1.29 has it: below everything that is not ASCII. */
function isWide(character: string): boolean {
  return character.charCodeAt(0) > 127;
}
