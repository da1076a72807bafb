/** The party that waits for an answer, such as an Exchange. Once it is closed, nobody takes the answer any more. */
export interface Recipient {
  readonly isClosed: boolean;
  /** Calls `listener` once, when the recipient closes. The function returned takes that back. */
  whenClosed(listener: () => void): () => void;
}

/** A recipient that closes with another one, or earlier when it is told to. */
export class LimitedRecipient implements Recipient {
  readonly #listeners = new Set<() => void>();
  readonly #forgetOther: () => void;
  #isClosed: boolean;

  constructor(other: Recipient) {
    this.#isClosed = other.isClosed;
    this.#forgetOther = other.whenClosed(() => this.close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  whenClosed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.detach();
    for (const listener of this.#listeners) {
      listener();
    }
    this.#listeners.clear();
  }

  /** Stays open when the other one closes from here on. */
  detach(): void {
    this.#forgetOther();
  }
}

/** Calls `abandon` when a recipient closes, and at once if it is closed. The function returned takes that back. */
export function abandonWith(recipient: Recipient, abandon: () => void): () => void {
  if (recipient.isClosed) {
    abandon();
    return () => {};
  }
  return recipient.whenClosed(abandon);
}

/** Returns the recipient that closes when a signal is aborted. */
export function recipientOf(signal: AbortSignal): Recipient {
  return {
    get isClosed() {
      return signal.aborted;
    },
    whenClosed(listener) {
      signal.addEventListener("abort", listener, { once: true });
      return () => signal.removeEventListener("abort", listener);
    },
  };
}
