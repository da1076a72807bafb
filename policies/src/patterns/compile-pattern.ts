import { createRequire } from "node:module";
import { goPatternProblem } from "@gatehouse/envelopes/go";
import type { RE2JS } from "re2js";
import { Automaton } from "./automaton.js";
import { findMatches } from "./find-matches.js";
import { programOf, rangesOf } from "./program.js";
import { Search } from "./search.js";

/** A compiled pattern in Go's syntax (RE2), which takes time linear in the text whatever the pattern is. */
export interface Pattern {
  readonly source: string;
  /** Reports whether any part of a text matches. */
  matches(text: string): boolean;
  /**
   * Returns the parts of a text that match, at most `limit` if that is not negative, as Go's `FindAllString` does.
   * Undefined: the search takes too much work and was given up.
   */
  findAll(text: string, limit: number): string[] | undefined;
  /** The number of instructions of the pattern; a search takes up to so many steps for each character. 0 if it is invalid. */
  readonly size: number;
  /** About how many nanoseconds it takes to compile the pattern, whether that has been done or not. */
  readonly compileWork: number;
  /** Reports whether a text is longer than any that is matched against this pattern. */
  isTooLong(text: string): boolean;
  /**
   * The reason why the pattern is invalid; definitions with such patterns are refused, but older ones may be stored.
   */
  readonly problem: string | undefined;
}

/**
 * Longest text in characters that can match. The limit shrinks with the instructions of a pattern: matching is linear
 * in both, and blocks the event loop meanwhile. The worst take some 10 nanoseconds for each character and instruction.
 */
const maxMatchedLength = 300_000;
const maxMatchSteps = 3_000_000;

/**
 * The pattern engine, loaded with the first pattern: its tables of characters are a tenth of all code, and most servers
 * meet no pattern.
 */
let engine: typeof RE2JS | undefined;

function loadEngine(): typeof RE2JS {
  const require = createRequire(import.meta.url);
  return (require("re2js") as { readonly RE2JS: typeof RE2JS }).RE2JS;
}

/** Nanoseconds of one step of a search, on average: the worst patterns take 6, most less than 1. */
const stepNanoseconds = 4;

/** Nanoseconds of reading a pattern and each of its characters, and of compiling each instruction and each range of a class. */
const readWork = 20_000;
const characterWork = 20;
const instructionWork = 1000;
const rangeWork = 4;

/** Returns about how many nanoseconds a search takes. */
export function matchWork({ size }: Pattern, text: string): number {
  return text.length * size * stepNanoseconds;
}

/** Compiles a pattern, never throws. */
export function compilePattern(source: string): Pattern {
  // RE2JS takes seconds to refuse patterns that Go cannot compile, if it refuses them.
  const problem = goPatternProblem(source);
  if (problem !== undefined) {
    return invalidPattern(source, problem);
  }
  engine ??= loadEngine();
  try {
    const compiled = engine.compile(source);
    const size = compiled.programSize();
    const maxLength = Math.min(maxMatchedLength, maxMatchSteps / size);
    const isTooLong = (text: string): boolean => text.length > maxLength;
    const ranges = rangesOf(compiled);
    const automaton = new Automaton(compiled, ranges);
    let made: Search | undefined;
    const search = (): Search => {
      made ??= new Search(programOf(compiled));
      return made;
    };
    return {
      source,
      size,
      matches: (text) => !isTooLong(text) && (automaton.test(text) ?? search().test(text)),
      findAll: (text, limit) => (isTooLong(text) ? [] : findMatches(search(), text, limit)),
      compileWork: readingWork(source) + size * instructionWork + ranges * rangeWork,
      isTooLong,
      problem: undefined,
    };
  } catch (error) {
    return invalidPattern(source, error instanceof Error ? error.message : String(error));
  }
}

function readingWork(source: string): number {
  return readWork + source.length * characterWork;
}

function invalidPattern(source: string, problem: string): Pattern {
  return {
    source,
    size: 0,
    compileWork: readingWork(source),
    matches: () => false,
    findAll: () => [],
    isTooLong: () => false,
    problem,
  };
}
