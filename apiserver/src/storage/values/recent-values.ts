/** A value in both of its forms. */
export interface BothForms {
  readonly stored: Buffer;
  readonly value: Buffer;
}

/** Limit in bytes of what is remembered: the writes whose changes have not been reported yet. */
const maxBytes = 4 * 1024 * 1024;

/** The values of the newest writes of this process, by key: each is read once more, when the store reports the change. */
export class RecentValues {
  readonly #byKey = new Map<string, BothForms>();
  #bytes = 0;

  /** Remembers a value. The oldest ones are forgotten when all of them take too much memory. */
  add(key: string, forms: BothForms): void {
    this.#forget(key);
    this.#byKey.set(key, forms);
    this.#bytes += sizeOf(forms);
    for (const oldest of this.#byKey.keys()) {
      if (this.#bytes <= maxBytes) {
        break;
      }
      this.#forget(oldest);
    }
  }

  /** Returns the value of stored bytes, and forgets it; undefined when the key was last given other bytes. */
  take(key: string, stored: Buffer): Buffer | undefined {
    const forms = this.#byKey.get(key);
    if (forms === undefined || !forms.stored.equals(stored)) {
      return undefined;
    }
    this.#forget(key);
    return forms.value;
  }

  #forget(key: string): void {
    const forms = this.#byKey.get(key);
    if (forms !== undefined) {
      this.#byKey.delete(key);
      this.#bytes -= sizeOf(forms);
    }
  }
}

function sizeOf({ stored, value }: BothForms): number {
  return stored.length + value.length;
}
