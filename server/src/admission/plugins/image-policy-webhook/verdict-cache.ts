import type { ImageVerdict } from "./image-review.js";

/** As many as v1.29 remembers. */
const maxEntries = 1024;

interface Entry {
  readonly verdict: ImageVerdict;
  readonly expiresAt: number;
}

/** What the webhook has said lately, by what it was asked. Of too many the one that was not used for longest goes. */
export class VerdictCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): ImageVerdict | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return undefined;
    }
    this.#entries.delete(key);
    if (this.#now() >= entry.expiresAt) {
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.verdict;
  }

  add(key: string, verdict: ImageVerdict, ttlMs: number): void {
    if (ttlMs === 0) {
      return;
    }
    this.#entries.delete(key);
    this.#entries.set(key, { verdict, expiresAt: this.#now() + ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}
