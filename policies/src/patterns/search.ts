import { operation, type Program } from "./program.js";

const condition = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;
const newline = 10;
const noRune = -1;
const maxStep = 2 ** 31 - 1;

/** The threads of a search at one position of the text, by priority: the instruction that each has come to. */
interface Threads {
  readonly instructions: Int32Array;
  /** The index at which the match of each thread begins. */
  readonly starts: Int32Array;
  count: number;
}

/**
 * Searches texts for a pattern by following all its threads at once (Pike's algorithm): a search visits each instruction
 * at most twice for each character, and a visit takes a few nanoseconds whatever the pattern and the text are. It serves
 * where the engine's own automaton would have to build many states, each of which takes it a hundred times as long.
 */
export class Search {
  /** The number of instructions that all searches have visited. */
  visits = 0;
  /** End of the last match. */
  end = -1;
  readonly #program: Program;
  /** The position for which an instruction was visited last, counted over all searches. */
  readonly #visited: Int32Array;
  readonly #stack: Int32Array;
  #current: Threads;
  #next: Threads;
  #step = 0;
  /** The step in which each class was tested last, negative if the character was none of it. */
  readonly #tested: Int32Array;

  constructor(program: Program) {
    const { size, tests } = program;
    this.#program = program;
    this.#visited = new Int32Array(size);
    this.#stack = new Int32Array(size + 1);
    this.#current = newThreads(size);
    this.#next = newThreads(size);
    this.#tested = new Int32Array(tests.length);
  }

  /** Reports whether any part of a text matches. */
  test(text: string): boolean {
    return this.#run(text, 0, true) !== -1;
  }

  /** Returns where the leftmost match at or after a position begins, or -1; `end` is its end then. */
  find(text: string, from: number): number {
    return this.#run(text, from, false);
  }

  /** Runs all threads over the text. `any`: ends with the first match, wherever it begins and ends. */
  #run(text: string, from: number, any: boolean): number {
    const { start, startConditions, prefix } = this.#program;
    const onlyAtStart = (startConditions & condition.beginText) !== 0;
    let found = -1;
    this.#current.count = 0;
    this.#beginStep();
    let before = from === 0 ? noRune : text.charCodeAt(from - 1);
    for (let at = from; ; ) {
      if (this.#current.count === 0) {
        if (found !== -1 || (onlyAtStart && at > 0)) {
          return found;
        }
        if (prefix !== "") {
          const next = text.indexOf(prefix, at);
          if (next === -1) {
            return found;
          }
          before = next === at ? before : text.charCodeAt(next - 1);
          at = next;
        }
      }
      const rune = at < text.length ? (text.codePointAt(at) as number) : noRune;
      if (found === -1 && !(onlyAtStart && at > 0)) {
        if (this.#add(this.#current, start, at, conditionsBetween(before, rune)) && any) {
          return at;
        }
      }
      const width = rune > 0xffff ? 2 : 1;
      const following = at + width < text.length ? text.charCodeAt(at + width) : noRune;
      const conditions = rune === noRune ? 0 : conditionsBetween(rune, following);
      this.#beginStep();
      const matched = this.#advance(at, rune, conditions, any);
      if (matched !== -1) {
        found = matched;
        if (any) {
          return found;
        }
      }
      if (rune === noRune) {
        return found;
      }
      at += width;
      before = rune;
    }
  }

  /** Moves all threads over one character. Returns where a match begins that ends before it (or after it, if any do), or -1. */
  #advance(at: number, rune: number, conditions: number, any: boolean): number {
    const { operations, outs, runes, tests } = this.#program;
    const tested = this.#tested;
    const step = this.#step;
    const { instructions, starts, count } = this.#current;
    const next = this.#next;
    next.count = 0;
    let found = -1;
    for (let index = 0; index < count; index++) {
      const instruction = instructions[index] as number;
      const op = operations[instruction];
      let goesOn = false;
      if (op === operation.rune) {
        goesOn = rune === runes[instruction];
      } else if (op === operation.runes) {
        // A class is tested once for each character.
        const test = runes[instruction] as number;
        const last = tested[test] as number;
        if (last === step || last === -step) {
          goesOn = last > 0;
        } else {
          goesOn = tests[test]?.(rune) === true;
          tested[test] = goesOn ? step : -step;
        }
      } else if (op === operation.match) {
        // Threads of less priority end here; those of more have moved on, and may find a longer match.
        found = starts[index] as number;
        this.end = at;
        break;
      } else {
        goesOn = op === operation.anyRune || rune !== newline;
      }
      if (goesOn && rune !== noRune) {
        if (this.#add(next, outs[instruction] as number, starts[index] as number, conditions) && any) {
          return starts[index] as number;
        }
      }
    }
    this.visits += count + next.count;
    this.#next = this.#current;
    this.#current = next;
    return found;
  }

  /** Adds a thread with all that it comes to without reading. Reports whether a match is among them. */
  #add(threads: Threads, first: number, begin: number, conditions: number): boolean {
    const { operations, outs, arguments: others } = this.#program;
    const { instructions, starts } = threads;
    const visited = this.#visited;
    const stack = this.#stack;
    const step = this.#step;
    if ((operations[first] as number) >= operation.runes) {
      if (visited[first] !== step) {
        visited[first] = step;
        instructions[threads.count] = first;
        starts[threads.count++] = begin;
      }
      return false;
    }
    let isMatch = false;
    let depth = 0;
    let visits = 0;
    stack[depth++] = first;
    while (depth > 0) {
      let instruction = stack[--depth] as number;
      while (visited[instruction] !== step) {
        visited[instruction] = step;
        const op = operations[instruction] as number;
        if (op === operation.alternative || op === operation.alternativeMatch) {
          visits++;
          stack[depth++] = others[instruction] as number;
          instruction = outs[instruction] as number;
        } else if (op === operation.capture || op === operation.nop) {
          visits++;
          instruction = outs[instruction] as number;
        } else if (op === operation.emptyWidth) {
          visits++;
          if (((others[instruction] as number) & ~conditions) !== 0) {
            break;
          }
          instruction = outs[instruction] as number;
        } else if (op !== operation.fail) {
          isMatch ||= op === operation.match;
          instructions[threads.count] = instruction;
          starts[threads.count++] = begin;
          break;
        }
      }
    }
    this.visits += visits;
    return isMatch;
  }

  /** Begins a step. */
  #beginStep(): void {
    if (this.#step === maxStep) {
      this.#visited.fill(0);
      this.#tested.fill(0);
      this.#step = 0;
    }
    this.#step++;
  }
}

function newThreads(size: number): Threads {
  return { instructions: new Int32Array(size), starts: new Int32Array(size), count: 0 };
}

/** Returns the conditions of empty matches that hold between two characters; -1 stands for the ends of the text. */
function conditionsBetween(before: number, after: number): number {
  const lines =
    (before === noRune ? condition.beginText | condition.beginLine : before === newline ? condition.beginLine : 0) |
    (after === noRune ? condition.endText | condition.endLine : after === newline ? condition.endLine : 0);
  return lines | (isWord(before) !== isWord(after) ? condition.wordBoundary : condition.noWordBoundary);
}

function isWord(rune: number): boolean {
  return (rune >= 97 && rune <= 122) || (rune >= 65 && rune <= 90) || (rune >= 48 && rune <= 57) || rune === 95;
}
