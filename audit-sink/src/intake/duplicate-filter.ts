import { type Digest, digestOf } from "../log/digest.js";
import { type Fingerprint, FingerprintSet, fingerprintOf } from "./fingerprint-set.js";

/** Whether an event is known: `new`, kept already, or just being kept (the promise is that of the log). */
export type Acquaintance = "new" | "kept" | Promise<unknown>;

/**
 * Knows the events that were kept last, so that what is sent again is kept once. Two events are the same when the same
 * sender sent the same bytes: these hold auditID, stage, both timestamps and everything else. An event counts as known
 * only when it is durable; until then whoever sends it again waits for the same flush, and shares its failure.
 */
export class DuplicateFilter {
  readonly #kept: FingerprintSet;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #senders = new Map<string, Digest>();

  /** `window`: how many events are remembered at least. */
  constructor(window: number) {
    this.#kept = new FingerprintSet(window);
  }

  find(sender: string, digest: Digest): Acquaintance {
    return this.#underWay.get(sender + digest) ?? (this.#kept.has(this.#fingerprint(sender, digest)) ? "kept" : "new");
  }

  /** The events are being kept, until the promise is settled. */
  begin(sender: string, digests: readonly Digest[], keeping: Promise<unknown>): void {
    for (const digest of digests) {
      this.#underWay.set(sender + digest, keeping);
    }
    keeping.then(
      () => this.#end(sender, digests, true),
      () => this.#end(sender, digests, false),
    );
  }

  /** Events that are durable, oldest first: how the filter learns what was kept before it began. */
  add(sender: string, digest: Digest): void {
    this.#kept.add(this.#fingerprint(sender, digest));
  }

  #end(sender: string, digests: readonly Digest[], isKept: boolean): void {
    for (const digest of digests) {
      this.#underWay.delete(sender + digest);
      if (isKept) {
        this.add(sender, digest);
      }
    }
  }

  #fingerprint(sender: string, digest: Digest): Fingerprint {
    let salt = this.#senders.get(sender);
    if (salt === undefined) {
      salt = digestOf(Buffer.from(sender));
      this.#senders.set(sender, salt);
    }
    return fingerprintOf(salt, digest);
  }
}
