import { WorkInterruption } from "./evaluation-error.js";

/**
 * The work that one evaluation may do beside what its cost counts, in units of about a nanosecond. The cost of v1.29 leaves
 * much out: reading a text of a megabyte, or comparing two large objects, may cost 1, and a loop repeats it. This limit keeps
 * such an evaluation from holding the event loop for long. It is no limit of time, which would make decisions depend on load.
 */
const maxWork = 30_000_000;

/** The work of reading one character, once for a call and once for its cost. */
const characterWork = 3;

let left = maxWork;
/** The number of evaluations that are under way: one may compute a variable of another, and shares its limit. */
let depth = 0;
let lastWork = 0;

/** The work that is counted once in an evaluation and has been, by name. */
const countedOnce = new Set<string>();
const maxCountedOnce = 100;

/** Begins to count the work of an evaluation. */
export function beginWork(): void {
  if (depth++ === 0) {
    left = maxWork;
    if (countedOnce.size > 0) {
      countedOnce.clear();
    }
  }
}

/** Ends the evaluation that began last. */
export function endWork(): void {
  depth--;
  if (depth === 0) {
    lastWork = maxWork - left;
  }
}

/**
 * Returns the work of the evaluation that ended last, in units of about a nanosecond. Who evaluates several expressions gives
 * way to other work after one that has done much.
 */
export function workOfLastEvaluation(): number {
  return lastWork;
}

/** Returns the work that the evaluation may still do. */
export function currentWork(): number {
  return left;
}

/** Sets the work that the evaluation may still do, to go on with one that was left. */
export function restoreWork(work: number): void {
  left = work;
}

/** Counts work; best before it is done. Throws WorkInterruption. Does nothing while an expression is compiled. */
export function countWork(units: number): void {
  left -= units;
  if (left < 0 && depth > 0) {
    throw new WorkInterruption();
  }
}

/**
 * Counts work whose result is kept, such as compiling a pattern, once in an evaluation. An evaluation that names many counts
 * some again, since not all results are kept. Throws WorkInterruption.
 */
export function countWorkOnce(name: string, units: number): void {
  if (!countedOnce.has(name)) {
    if (countedOnce.size >= maxCountedOnce) {
      countedOnce.clear();
    }
    countedOnce.add(name);
    countWork(units);
  }
}

/** Counts reading a value once, if it is a text or a sequence of bytes. */
export function countReading(value: unknown): void {
  if (typeof value === "string" || value instanceof Uint8Array) {
    countWork(value.length * characterWork);
  }
}
