import type { RE2JS } from "re2js";

/** A state of the engine's automaton. */
interface State {
  readonly nfaStates: readonly number[];
  /** The next state by class of characters, null where it has not been built yet. Null: none has been built. */
  readonly next: readonly (State | null)[] | null;
}

/** Ends a match that would build more of the automaton than it may. */
class BuildingEnded {}
const buildingEnded = new BuildingEnded();

/** The instructions in states that the first matches may build. Each takes up to 400 nanoseconds. */
const firstBuilding = 20_000;
/** The steps (characters times instructions of the pattern) that allow for building one more instruction. */
const stepsPerInstruction = 200;
/** The most characters and ends of ranges in classes of a pattern with an automaton, which sorts them all when it is made. */
const maxRanges = 100_000;

/**
 * The engine's automaton of a pattern, which builds its states as texts lead to them. A match that meets known states takes a
 * few nanoseconds for each character. A state takes long to build, and some patterns need one for each character of a text; so
 * this one builds no more than its texts pay for, counted in instructions. Where it has to stop, a Search takes its place.
 */
export class Automaton {
  readonly #pattern: RE2JS;
  readonly #size: number;
  readonly #isUsable: boolean;
  #left = firstBuilding;
  #isBounded = false;

  /** `ranges`: the number of characters and ends of ranges in its classes. */
  constructor(pattern: RE2JS, ranges: number) {
    this.#pattern = pattern;
    this.#size = pattern.programSize();
    this.#isUsable = ranges <= maxRanges;
  }

  /** Reports whether any part of a text matches; undefined if that is not to be had from the states there are. */
  test(text: string): boolean | undefined {
    if (!this.#isUsable) {
      return undefined;
    }
    if (!this.#isBounded) {
      this.#bound();
    }
    this.#left = Math.min(firstBuilding, this.#left + (text.length * this.#size) / stepsPerInstruction);
    try {
      return this.#pattern.test(text);
    } catch (thrown) {
      if (thrown === buildingEnded) {
        return undefined;
      }
      throw thrown;
    }
  }

  /** Counts what is built from now on. */
  #bound(): void {
    const engine = this.#pattern.re2();
    // The automaton for patterns of one way takes longer for each character, and is not needed to find whether there is a match.
    (engine as { onepass: unknown }).onepass = null;
    const { dfa } = engine;
    const step = dfa.step.bind(dfa);
    dfa.step = (state: State, characters: number, rune: number, anchor: number): State | null => {
      const known = state.next?.[characters];
      if (known != null) {
        return known;
      }
      if (this.#left <= 0) {
        throw buildingEnded;
      }
      const next: State | null = step(state, characters, rune, anchor);
      this.#left -= state.nfaStates.length + (next?.nfaStates.length ?? 0);
      return next;
    };
    const match = dfa.match.bind(dfa);
    dfa.match = (input: unknown, position: number, anchor: number): boolean => {
      const found: boolean | null = match(input, position, anchor);
      if (found === null) {
        throw buildingEnded;
      }
      return found;
    };
    this.#isBounded = true;
  }
}
