import { EvaluationError } from "../../values/evaluation-error.js";
import { itemsOf } from "../../values/type-name.js";
import type { CelList, CelValue } from "../../values/value.js";
import { countWork } from "../../values/work.js";
import { formatFixed, formatScientific } from "./format-decimals.js";
import { formatBinary, formatDecimal, formatHexadecimal, formatOctal } from "./format-integers.js";
import { formatText } from "./format-texts.js";

type Formatter = (value: CelValue, precision: number | undefined) => string;

const formatters: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ["s", formatText],
  ["d", formatDecimal],
  ["f", formatFixed],
  ["e", formatScientific],
  ["b", formatBinary],
  ["x", formatHexadecimal],
  ["X", (value) => formatHexadecimal(value).toUpperCase()],
  ["o", formatOctal],
]);

/** The work of a clause, and of each character that it makes. */
const clauseWork = 200;
const characterWork = 10;

/** Longest number of digits that a clause may ask for. */
const maxPrecision = 10_000;

/** Replaces each clause of a text (`%s`, `%.2f`) by the next argument. Throws EvaluationError with v1.29's messages. */
export function format(text: string, list: readonly CelValue[] | CelList): string {
  const args = itemsOf(list);
  const pieces: string[] = [];
  let used = 0;
  let done = 0;
  for (let at = text.indexOf("%"); at >= 0; at = text.indexOf("%", done)) {
    pieces.push(text.slice(done, at));
    if (text[at + 1] === "%") {
      pieces.push("%");
      done = at + 2;
      continue;
    }
    const value = args[used];
    if (value === undefined) {
      throw new EvaluationError(`index ${used} out of range`);
    }
    used++;
    const { formatter, precision, end } = readClause(text, at + 1);
    const piece = formatted(formatter, value, precision);
    countWork(clauseWork + piece.length * characterWork);
    pieces.push(piece);
    done = end;
  }
  return pieces.join("") + text.slice(done);
}

function formatted(formatter: Formatter, value: CelValue, precision: number | undefined): string {
  try {
    return formatter(value, precision);
  } catch (error) {
    throw error instanceof EvaluationError ? new EvaluationError(`error during formatting: ${error.message}`) : error;
  }
}

interface Clause {
  readonly formatter: Formatter;
  readonly precision: number | undefined;
  /** Offset after the clause. */
  readonly end: number;
}

function readClause(text: string, start: number): Clause {
  if (start >= text.length) {
    throw new EvaluationError("unexpected end of string");
  }
  const { precision, end } = readPrecision(text, start);
  const letter = text[end] ?? "";
  const formatter = formatters.get(letter);
  if (formatter === undefined) {
    // v1.29 looks at one byte, and shows that as a character.
    const byte = Buffer.from(text.slice(end, end + 2)).toString("latin1")[0];
    throw clauseError(`unrecognized formatting clause "${byte}"`);
  }
  return { formatter, precision, end: end + 1 };
}

function readPrecision(text: string, start: number): { readonly precision: number | undefined; readonly end: number } {
  if (text[start] !== ".") {
    return { precision: undefined, end: start };
  }
  let end = start + 1;
  while (/[0-9]/.test(text[end] ?? "")) {
    end++;
  }
  if (end >= text.length) {
    throw clauseError("error while parsing precision: could not find end of precision specifier");
  }
  const digits = text.slice(start + 1, end);
  const problem = digits === "" ? "invalid syntax" : Number(digits) > maxPrecision ? "value out of range" : undefined;
  if (problem !== undefined) {
    const conversion = `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`;
    throw clauseError(`error while parsing precision: ${conversion}`);
  }
  return { precision: Number(digits), end };
}

function clauseError(problem: string): EvaluationError {
  return new EvaluationError(`could not parse formatting clause: ${problem}`);
}
