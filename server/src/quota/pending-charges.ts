import { addAmounts, type ResourceList } from "./resource-list.js";

/** A change of the charges that are pending, as other processes of the server learn of it. */
export type ChargeChange =
  | { readonly type: "add"; readonly namespace: string; readonly uid: string; readonly charges: Charges }
  | { readonly type: "settle"; readonly namespace: string; readonly uid: string };

/** The way to the process that counts objects, in a server of several. */
export interface ChargeExchange {
  /** Passes changes on. Resolves when the counting process has them; without one, when none counts. */
  publish(changes: readonly ChargeChange[]): Promise<void>;
  /** Returns the changes that make up what is pending in all other processes. */
  gather(): Promise<readonly ChargeChange[]>;
}

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
  readonly #exchange: ChargeExchange | undefined;
  #unpublished: ChargeChange[] = [];
  #publishing: Promise<void> | undefined;
  #counting = 0;
  #nextExpiry = 0;

  constructor(now: () => number, exchange?: ChargeExchange) {
    this.#now = now;
    this.#exchange = exchange;
  }

  /**
   * Begins to keep charges, until the signal aborts. Resolves when those of other processes are known; some of their writes
   * may have been stored by then, and count twice until they expire.
   */
  async follow(signal: AbortSignal): Promise<void> {
    this.#counting++;
    signal.addEventListener(
      "abort",
      () => {
        this.#counting--;
        if (this.#counting === 0 && this.#exchange === undefined) {
          this.#pending.clear();
        }
      },
      { once: true },
    );
    this.learn((await this.#exchange?.gather()) ?? []);
  }

  /**
   * Adds the charge of an object that is about to be written. To be called before the charge can be seen, and `published`
   * after it.
   */
  add(namespace: string, uid: string, charges: Charges): void {
    if (this.#exchange !== undefined && this.#counting === 0) {
      this.#unpublished.push({ type: "add", namespace, uid, charges });
    }
    this.#keep(namespace, uid, charges);
  }

  /** Resolves when the process that counts has all changes. Undefined where that is this one, or has them already. */
  published(): Promise<void> | undefined {
    const changes = this.#unpublished;
    if (changes.length > 0 && this.#exchange !== undefined) {
      this.#unpublished = [];
      // Changes that are under way for another caller may be this caller's, too.
      const publishing = Promise.all([this.#publishing, this.#exchange.publish(changes)]).then(() => {});
      const forget = (): void => {
        if (this.#publishing === publishing) {
          this.#publishing = undefined;
        }
      };
      this.#publishing = publishing;
      publishing.then(forget, forget);
    }
    return this.#publishing;
  }

  /** Applies changes of other processes. */
  learn(changes: readonly ChargeChange[]): void {
    for (const change of changes) {
      if (change.type === "add") {
        this.#keep(change.namespace, change.uid, change.charges);
      } else {
        this.#remove(change.namespace, change.uid);
      }
    }
  }

  /** Returns the changes that make up what is pending. */
  all(): readonly ChargeChange[] {
    this.#expire();
    return [...this.#pending].flatMap(([namespace, objects]) =>
      [...objects].flatMap(([uid, ofObject]) =>
        ofObject.map(({ charges }) => ({ type: "add", namespace, uid, charges }) as const),
      ),
    );
  }

  #keep(namespace: string, uid: string, charges: Charges): void {
    if (this.#counting === 0 && this.#exchange === undefined) {
      return;
    }
    if (this.#counting === 0) {
      this.#expireSometimes();
    }
    const objects = this.#pending.get(namespace) ?? new Map<string, PendingCharge[]>();
    const ofObject = objects.get(uid) ?? [];
    ofObject.push({ charges, expiresAt: this.#now() + pendingMs });
    objects.set(uid, ofObject);
    this.#pending.set(namespace, objects);
  }

  /** Removes the oldest charge of an object, which has been seen as written, or will not be written after all. */
  settle(namespace: string, uid: string): void {
    if (this.#exchange !== undefined && this.#counting === 0) {
      this.#unpublished.push({ type: "settle", namespace, uid });
    }
    this.#remove(namespace, uid);
  }

  #remove(namespace: string, uid: string): void {
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
          this.#remove(namespace, uid);
        } else {
          addAmounts(total, charges.get(quota) ?? new Map());
        }
      }
    }
    return total;
  }

  /** Forgets what cannot be under way any more. Nothing settles charges in a process that does not count. */
  #expire(): void {
    const now = this.#now();
    for (const [namespace, objects] of this.#pending) {
      for (const [uid, ofObject] of objects) {
        for (const { expiresAt } of [...ofObject]) {
          if (expiresAt <= now) {
            this.#remove(namespace, uid);
          }
        }
      }
    }
  }

  #expireSometimes(): void {
    const now = this.#now();
    if (now >= this.#nextExpiry) {
      this.#nextExpiry = now + pendingMs;
      this.#expire();
    }
  }
}
