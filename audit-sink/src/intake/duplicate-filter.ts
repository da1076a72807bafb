import type { Digest } from "../log/digest.js";
import { FingerprintSet, type SenderSalt, senderSalt } from "./fingerprint-set.js";

/**
 * Knows the events that were kept last, so that what is sent again is kept once. Two events are the same when the same
 * sender sent the same bytes: these hold auditID, stage, both timestamps and everything else. An event is known from when
 * it is first seen, but until it is durable whoever sends it again must wait for that, and shares the failure.
 */
export class DuplicateFilter {
  readonly #known: FingerprintSet;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #salts = new Map<string, SenderSalt>();

  /** `window`: how many events are remembered at least. */
  constructor(window: number) {
    this.#known = new FingerprintSet(window);
  }

  /** Remembers an event; false if it is known. Whoever adds events of a request tells by `keep` what becomes of them. */
  add(sender: string, digest: Digest): boolean {
    return this.#known.add(this.#saltOf(sender), digest);
  }

  /** The events that were added are known for good when the promise resolves, and forgotten when it rejects. */
  keep(sender: string, digests: readonly Digest[], keeping: Promise<unknown>): void {
    this.#underWay.add(keeping);
    keeping.then(
      () => this.#underWay.delete(keeping),
      () => {
        this.#underWay.delete(keeping);
        for (const digest of digests) {
          this.#known.delete(this.#saltOf(sender), digest);
        }
      },
    );
  }

  /**
   * Waits for the events that are being kept at the time of the call. Resolves when these, known events of a request among
   * them, are durable. Rejects when one of them could not be kept.
   */
  async settled(sender: string, digests: readonly Digest[]): Promise<void> {
    const outcomes = await Promise.allSettled([...this.#underWay]);
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined && !digests.every((digest) => this.#known.has(this.#saltOf(sender), digest))) {
      throw failure.reason;
    }
  }

  #saltOf(sender: string): SenderSalt {
    let salt = this.#salts.get(sender);
    if (salt === undefined) {
      salt = senderSalt(sender);
      this.#salts.set(sender, salt);
    }
    return salt;
  }
}
