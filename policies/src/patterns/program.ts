import type { RE2JS } from "re2js";

/** Kinds of the instructions of a compiled pattern, as the engine numbers them (those of Go's `regexp/syntax`). */
export const operation = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nop: 7,
  runes: 8,
  rune: 9,
  anyRune: 10,
  anyRuneNotNewline: 11,
} as const;

/** One instruction of a compiled pattern, as the engine makes it. */
interface Instruction {
  readonly op: number;
  /** The instruction that follows. */
  readonly out: number;
  /** The other alternative, or the conditions of an empty match. */
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(rune: number): boolean;
}

/** Tells whether a character is one of a class. */
export type RuneTest = (rune: number) => boolean;

/** A compiled pattern in flat arrays, by the number of the instruction. */
export interface Program {
  readonly size: number;
  readonly start: number;
  readonly operations: Uint8Array;
  readonly outs: Int32Array;
  readonly arguments: Int32Array;
  /** The character of a `rune`, or the index of the test of `runes`. */
  readonly runes: Int32Array;
  readonly tests: readonly RuneTest[];
  /** Conditions at the start of each match, as `arg` of an empty match has them. */
  readonly startConditions: number;
  /** The text that each match begins with. */
  readonly prefix: string;
}

/** Returns the number of characters and ends of ranges in all classes of a pattern. */
export function rangesOf(pattern: RE2JS): number {
  const instructions = pattern.re2().prog.inst as readonly Instruction[];
  return instructions.reduce((sum, { runes }) => sum + runes.length, 0);
}

/** Reads the program of a pattern that the engine has compiled. */
export function programOf(pattern: RE2JS): Program {
  const { prog, cond, prefix } = pattern.re2();
  const instructions = prog.inst as readonly Instruction[];
  const size = instructions.length;
  const classes = new Classes();
  const program: Program = {
    size,
    start: prog.start,
    operations: new Uint8Array(size),
    outs: new Int32Array(size),
    arguments: new Int32Array(size),
    runes: new Int32Array(size),
    tests: classes.tests,
    startConditions: cond,
    prefix: prefix ?? "",
  };
  for (const [index, instruction] of instructions.entries()) {
    const { op, out, arg, runes } = instruction;
    program.operations[index] = op;
    program.outs[index] = out;
    program.arguments[index] = arg;
    if (op === operation.rune) {
      program.runes[index] = runes[0] as number;
    } else if (op === operation.runes) {
      program.runes[index] = classes.indexOf(instruction);
    }
  }
  return program;
}

/** The number of classes that look alike with which a class is compared; comparing all would take a large pattern seconds. */
const maxAlike = 4;

/** The classes of a pattern, most of them once: repetitions have copies of the same one. */
class Classes {
  readonly tests: RuneTest[] = [];
  readonly #known = new Map<string, { readonly instruction: Instruction; readonly test: number }[]>();

  /** Returns the index of the test of an instruction's class. */
  indexOf(instruction: Instruction): number {
    const { runes, arg } = instruction;
    const { length } = runes;
    const alike = `${arg} ${length} ${runes[0]} ${runes[length - 1]}`;
    const candidates = this.#known.get(alike) ?? [];
    const same = candidates.find((candidate) => isSameClass(candidate.instruction.runes, runes));
    if (same !== undefined) {
      return same.test;
    }
    const test = this.tests.push((rune) => instruction.matchRune(rune)) - 1;
    if (candidates.length < maxAlike) {
      this.#known.set(alike, [...candidates, { instruction, test }]);
    }
    return test;
  }
}

function isSameClass(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  for (let index = 0; index < left.length; index++) {
    if (left[index] !== right[index]) {
      return false;
    }
  }
  return true;
}
