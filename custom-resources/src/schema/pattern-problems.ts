import { goPatternProblem, maxPatternSize } from "@gatehouse/envelopes/go";

/** Problems of the patterns of a schema. Each distinct pattern is read only once. */
export class PatternProblems {
  readonly #known = new Map<string, string | undefined>();
  readonly #isAccepted: (pattern: string) => boolean;

  /** Patterns that `isAccepted` holds for may have any size: a definition that was stored with them keeps them. */
  constructor(isAccepted: (pattern: string) => boolean) {
    this.#isAccepted = isAccepted;
  }

  /** Returns the reason why Go would not compile the pattern, or why it is too large; undefined for a valid pattern. */
  of(pattern: string): string | undefined {
    if (!this.#known.has(pattern)) {
      const maxSize = this.#isAccepted(pattern) ? Number.POSITIVE_INFINITY : maxPatternSize;
      this.#known.set(pattern, goPatternProblem(pattern, maxSize));
    }
    return this.#known.get(pattern);
  }

  /** Reports whether the pattern has been read before. */
  hasRead(pattern: string): boolean {
    return this.#known.has(pattern);
  }
}

/** Problems of the patterns of stored definitions, whose sizes are no longer in question. */
export function storedPatternProblems(): PatternProblems {
  return new PatternProblems(() => true);
}
