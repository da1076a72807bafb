import { addAmounts, type ResourceList } from "./resource-list.js";

/** The increase that a write causes in each quota, by the names of the quotas. */
export type Charges = ReadonlyMap<string, ResourceList>;

/** Milliseconds after which a charged write that was not seen has failed: no write takes longer. */
const pendingMs = 60_000;

interface PendingCharge {
  readonly charges: Charges;
  readonly expiresAt: number;
}

/**
 * The charges of admission for objects that are not stored yet. A count of stored objects must add them: otherwise
 * writes under way would be missed, and more could be created than a quota allows. Nothing is kept while no one counts.
 */
export class PendingCharges {
  readonly #now: () => number;
  /** Charges by namespace and uid, the oldest first. */
  readonly #pending = new Map<string, Map<string, PendingCharge[]>>();
  #counting = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins to keep charges, until the signal aborts. */
  follow(signal: AbortSignal): void {
    this.#counting++;
    signal.addEventListener(
      "abort",
      () => {
        this.#counting--;
        if (this.#counting === 0) {
          this.#pending.clear();
        }
      },
      { once: true },
    );
  }

  /** Adds the charge of an object that is about to be written. To be called before the charge can be seen. */
  add(namespace: string, uid: string, charges: Charges): void {
    if (this.#counting === 0) {
      return;
    }
    const objects = this.#pending.get(namespace) ?? new Map<string, PendingCharge[]>();
    const ofObject = objects.get(uid) ?? [];
    ofObject.push({ charges, expiresAt: this.#now() + pendingMs });
    objects.set(uid, ofObject);
    this.#pending.set(namespace, objects);
  }

  /** Removes the oldest charge of an object, which has been seen as written, or will not be written after all. */
  settle(namespace: string, uid: string): void {
    const objects = this.#pending.get(namespace);
    const ofObject = objects?.get(uid);
    ofObject?.shift();
    if (ofObject?.length === 0) {
      objects?.delete(uid);
    }
    if (objects?.size === 0) {
      this.#pending.delete(namespace);
    }
  }

  /** Reports whether a namespace has pending charges. */
  isPending(namespace: string): boolean {
    return this.#pending.has(namespace);
  }

  /** Sums the pending charges to a quota. */
  of(namespace: string, quota: string): ResourceList {
    const total: ResourceList = new Map();
    const now = this.#now();
    for (const [uid, ofObject] of this.#pending.get(namespace) ?? []) {
      for (const { charges, expiresAt } of [...ofObject]) {
        if (expiresAt <= now) {
          this.settle(namespace, uid);
        } else {
          addAmounts(total, charges.get(quota) ?? new Map());
        }
      }
    }
    return total;
  }
}
