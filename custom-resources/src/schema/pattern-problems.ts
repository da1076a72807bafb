import { goPatternProblem, maxPatternSize } from "./go-pattern.js";

/** Problems of the patterns of a schema. Each distinct pattern is read once, however often it is asked for. */
export class PatternProblems {
  readonly #known = new Map<string, string | undefined>();
  readonly #isAccepted: (pattern: string) => boolean;

  /** Patterns that `isAccepted` holds for may have any size: a definition that was stored with them keeps them. */
  constructor(isAccepted: (pattern: string) => boolean) {
    this.#isAccepted = isAccepted;
  }

  /** Why Go would not compile the pattern, or that it is too large; undefined when there is nothing wrong with it. */
  of(pattern: string): string | undefined {
    if (!this.#known.has(pattern)) {
      const maxSize = this.#isAccepted(pattern) ? Number.POSITIVE_INFINITY : maxPatternSize;
      this.#known.set(pattern, goPatternProblem(pattern, maxSize));
    }
    return this.#known.get(pattern);
  }

  /** Whether the pattern has been asked for. */
  hasRead(pattern: string): boolean {
    return this.#known.has(pattern);
  }
}

/** Problems of the patterns of stored definitions, whose sizes are no longer in question. */
export function storedPatternProblems(): PatternProblems {
  return new PatternProblems(() => true);
}
