import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { BatchOrigin } from "../intake/batch-origin.js";
import type { SequenceObserver } from "../intake/intake.js";
import { type NamedGap, SenderSources } from "./sender-sources.js";
import { SequenceTracker } from "./sequence-tracker.js";

/** A gap, and whose it is. */
export interface SourceGap extends NamedGap {
  readonly sender: string;
}

/** New findings about the numbers of all sources. */
export interface SourceReport {
  /** Gaps that are old enough to be reported, or about to be forgotten; each is reported once. */
  readonly missing: readonly SourceGap[];
  /** Gaps that were reported and have been filled since. */
  readonly filled: readonly SourceGap[];
}

/**
 * The sequence numbers of all sources of all senders. Each sender has bounds of its own, so that none can push out what is
 * known of another. Only `forget` applies the bounds; without it, everything is remembered.
 */
export class Sources implements SequenceObserver {
  readonly #senders = new Map<string, SenderSources>();
  readonly #now: () => number;
  #filled: SourceGap[] = [];

  /** `now`: milliseconds on a clock that only goes forward. Default `performance.now`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Number of events without sequence numbers by sender; missing ones cannot be detected among them. */
  get unnumberedBySender(): ReadonlyMap<string, number> {
    const counted = [...this.#senders].map(([sender, { unnumbered }]) => [sender, unnumbered] as const);
    return new Map(counted.filter(([, unnumbered]) => unnumbered > 0));
  }

  hasRoom(sender: string, origin: BatchOrigin | undefined): boolean {
    return origin === undefined || this.#senders.get(sender)?.hasRoom(origin.source) !== false;
  }

  received(sender: string, origin: BatchOrigin | undefined, count: number): void {
    const sources = this.#of(sender);
    if (origin === undefined) {
      sources.unnumbered += count;
      return;
    }
    const filled = sources.received(origin.source, origin.sequence, count, this.#now());
    this.#filled.push(...filled.map((gap) => ({ ...gap, sender })));
  }

  /** Returns new findings, each once. `ageMs` is the time after which a missing number is reported. */
  report(ageMs: number): SourceReport {
    const filled = this.#filled;
    this.#filled = [];
    const missing = [...this.#senders].flatMap(([sender, sources]) =>
      sources.report(ageMs, this.#now()).map((gap) => ({ ...gap, sender })),
    );
    return { missing, filled };
  }

  /** Forgets what is beyond the bounds, once all reports are durable. Returns the number of forgotten sources by sender. */
  forget(): ReadonlyMap<string, number> {
    const forgotten = [...this.#senders].map(([sender, sources]) => [sender, sources.forget()] as const);
    return new Map(forgotten.filter(([, sources]) => sources > 0));
  }

  /** Returns the number of missing events by sender, reported or not. */
  missingBySender(): ReadonlyMap<string, number> {
    return new Map([...this.#senders].map(([sender, { missing }]) => [sender, missing] as const));
  }

  /** All of it as JSON, for `restore`. */
  save(): JsonObject {
    const senders = [...this.#senders];
    return {
      sources: senders.flatMap(([sender, { trackers }]) =>
        [...trackers].map(([source, { next, gaps, forgotten }]) => ({
          sender,
          source,
          next,
          forgotten,
          gaps: gaps.map(({ first, last, isReported }) => ({ first, last, isReported })),
        })),
      ),
      senders: senders.map(([sender, { forgottenMissing }]) => ({ sender, forgottenMissing })),
    };
  }

  /** Takes up what was saved; gaps that were not told of are waited for anew. */
  restore(saved: JsonValue | undefined): void {
    const { sources, senders } = isJsonObject(saved) ? saved : {};
    for (const item of Array.isArray(sources) ? sources : []) {
      const { sender, source, next, gaps, forgotten } = isJsonObject(item) ? item : {};
      if (typeof sender !== "string" || typeof source !== "string" || typeof next !== "number") {
        continue;
      }
      const tracked = (Array.isArray(gaps) ? gaps : []).flatMap((gap) => {
        const { first, last, isReported } = isJsonObject(gap) ? gap : {};
        return typeof first === "number" && typeof last === "number"
          ? [{ first, last, since: this.#now(), isReported: isReported === true }]
          : [];
      });
      const tracker = new SequenceTracker(next, tracked, typeof forgotten === "number" ? forgotten : 0);
      this.#of(sender).restore(source, tracker);
    }
    for (const item of Array.isArray(senders) ? senders : []) {
      const { sender, forgottenMissing } = isJsonObject(item) ? item : {};
      if (typeof sender === "string" && typeof forgottenMissing === "number") {
        this.#of(sender).forgottenMissing = forgottenMissing;
      }
    }
  }

  #of(sender: string): SenderSources {
    let sources = this.#senders.get(sender);
    if (sources === undefined) {
      sources = new SenderSources();
      this.#senders.set(sender, sources);
    }
    return sources;
  }
}
