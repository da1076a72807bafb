import type { ServedResource } from "../../registry/served-resource.js";
import type { WriteTransaction } from "../../registry/write-transactions.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";

/** The transactions of the attempts of one write; at most one is open. */
export class WriteAttempts {
  #open: WriteTransaction | undefined;
  #state: "deciding" | "sent" | "stored" = "deciding";

  /** Begins an attempt, because the store has refused the one before, or there was none. */
  async begin(transaction: () => Promise<WriteTransaction>): Promise<void> {
    this.notStored();
    const lost = this.#open;
    this.#open = undefined;
    await lost?.rollback();
    this.#open = await transaction();
  }

  /** Notes that nothing is stored: the store has refused the attempt, or nothing was sent to it. */
  notStored(): void {
    this.#state = "deciding";
  }

  /** Notes that the object goes to the store. If that fails, it is unknown whether it has been stored. */
  sent(): void {
    this.#state = "sent";
  }

  /** Notes that the object is stored. */
  stored(): void {
    this.#state = "stored";
  }

  /** Commits what is stored, and undoes what is known not to be. */
  async end(): Promise<void> {
    if (this.#state === "stored") {
      await this.#open?.commit();
    } else if (this.#state === "deciding") {
      await this.#open?.rollback();
    }
  }
}

/**
 * Runs a write of a resource with transactions. What cannot be given back afterwards does not change the outcome of the
 * write: it is reported, and stays taken until it is found.
 */
export async function inTransactions<T>(
  reportFault: (error: unknown) => void,
  write: (attempts: WriteAttempts) => Promise<T>,
): Promise<T> {
  const attempts = new WriteAttempts();
  try {
    return await write(attempts);
  } finally {
    await attempts.end().catch(reportFault);
  }
}

/** Tells the transactions of the resource, if it has any, that an object is gone. `entry` is its last state. */
export async function endOfObject(
  reportFault: (error: unknown) => void,
  served: ServedResource,
  entry: CacheEntry,
): Promise<void> {
  await served.transactions?.afterDelete(served.form.decode(entry)).catch(reportFault);
}
