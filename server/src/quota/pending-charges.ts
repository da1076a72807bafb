import { addAmounts, type ResourceList } from "./resource-list.js";

/** How much more of each quota a write uses, by the names of the quotas. */
export type Charges = ReadonlyMap<string, ResourceList>;

/** No write takes longer: what has been charged and is not seen by then has failed. */
const pendingMs = 60_000;

interface PendingCharge {
  readonly charges: Charges;
  readonly expiresAt: number;
}

/**
 * What admission has charged for objects that are not stored yet. Whoever counts objects to find out what is used must
 * add it: otherwise what is under way would be forgotten, and more could be created than a quota allows. Nothing is
 * kept while nobody counts.
 */
export class PendingCharges {
  readonly #now: () => number;
  /** By namespace and uid, the oldest first. */
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

  /** An object is about to be written. To be called before the charge can be seen. */
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

  /** The object has been seen as it was written, or will not be written after all. */
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

  /** Whether anything waits to be seen in a namespace. */
  isPending(namespace: string): boolean {
    return this.#pending.has(namespace);
  }

  /** All that is charged to a quota and not seen yet. */
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
