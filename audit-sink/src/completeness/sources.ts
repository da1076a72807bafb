import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import type { BatchOrigin } from "../intake/batch-origin.js";
import type { SequenceObserver } from "../intake/intake.js";
import { type SequenceGap, SequenceTracker } from "./sequence-tracker.js";

/** A gap, and whose it is. */
export interface SourceGap extends SequenceGap {
  readonly sender: string;
  readonly source: string;
}

/** What came to light about the numbers of all sources. */
export interface SourceReport {
  /** Missing for long enough to be told of, once. */
  readonly missing: readonly SourceGap[];
  /** Told of as missing before, and come since. */
  readonly filled: readonly SourceGap[];
}

interface Source {
  readonly sender: string;
  readonly source: string;
  readonly tracker: SequenceTracker;
}

/** Beyond that, the source that has been silent for longest is forgotten. */
const maxSources = 1000;

/** The numbers of all sources: a source is what one sender calls by one name. */
export class Sources implements SequenceObserver {
  /** In the order of their last batch. */
  readonly #sources = new Map<string, Source>();
  readonly #now: () => number;
  #filled: SourceGap[] = [];
  readonly #unnumbered = new Map<string, number>();

  /** `now`: milliseconds on a clock that only goes forward. Default `performance.now`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many events came without numbers, by sender: whether some are missing cannot be told. */
  get unnumberedBySender(): ReadonlyMap<string, number> {
    return this.#unnumbered;
  }

  received(sender: string, origin: BatchOrigin | undefined, count: number): void {
    if (origin === undefined) {
      this.#unnumbered.set(sender, (this.#unnumbered.get(sender) ?? 0) + count);
      return;
    }
    const { source, sequence } = origin;
    const key = JSON.stringify([sender, source]);
    const known = this.#sources.get(key) ?? { sender, source, tracker: new SequenceTracker(sequence) };
    this.#sources.delete(key);
    this.#sources.set(key, known);
    const filled = known.tracker.received(sequence, count, this.#now());
    this.#filled.push(...filled.map((gap) => ({ ...gap, sender, source })));
    if (this.#sources.size > maxSources) {
      this.#sources.delete(this.#sources.keys().next().value as string);
    }
  }

  /** What there is to tell, each thing once. `ageMs`: how long a number may be late. */
  report(ageMs: number): SourceReport {
    const filled = this.#filled;
    this.#filled = [];
    const missing = [...this.#sources.values()].flatMap(({ sender, source, tracker }) =>
      tracker.report(ageMs, this.#now()).map((gap) => ({ ...gap, sender, source })),
    );
    return { missing, filled };
  }

  /** How many numbers are missing now, told of or not, by sender. */
  missingBySender(): ReadonlyMap<string, number> {
    const missing = new Map<string, number>();
    for (const { sender, tracker } of this.#sources.values()) {
      missing.set(sender, (missing.get(sender) ?? 0) + tracker.missing);
    }
    return missing;
  }

  /** All of it as JSON, for `restore`. */
  save(): JsonObject {
    return {
      sources: [...this.#sources.values()].map(({ sender, source, tracker }) => ({
        sender,
        source,
        next: tracker.next,
        gaps: tracker.gaps.map(({ first, last, isReported }) => ({ first, last, isReported })),
      })),
    };
  }

  /** Takes up what was saved; gaps that were not told of are waited for anew. */
  restore(saved: JsonValue | undefined): void {
    const sources = isJsonObject(saved) ? saved["sources"] : undefined;
    for (const item of Array.isArray(sources) ? sources : []) {
      const { sender, source, next, gaps } = isJsonObject(item) ? item : {};
      if (typeof sender !== "string" || typeof source !== "string" || typeof next !== "number") {
        continue;
      }
      const tracked = (Array.isArray(gaps) ? gaps : []).flatMap((gap) => {
        const { first, last, isReported } = isJsonObject(gap) ? gap : {};
        return typeof first === "number" && typeof last === "number"
          ? [{ first, last, since: this.#now(), isReported: isReported === true }]
          : [];
      });
      this.#sources.set(JSON.stringify([sender, source]), {
        sender,
        source,
        tracker: new SequenceTracker(next, tracked),
      });
    }
  }
}
