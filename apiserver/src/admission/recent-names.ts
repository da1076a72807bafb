/**
 * A set of names that are forgotten after a while. The oldest are dropped as new ones come, which bounds their number.
 */
export class RecentNames {
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  readonly #expiry = new Map<string, number>();

  constructor(lifetimeMs: number, now: () => number) {
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  add(name: string): void {
    const now = this.#now();
    for (const [other, expiresAt] of this.#expiry) {
      if (expiresAt > now) {
        break;
      }
      this.#expiry.delete(other);
    }
    this.#expiry.delete(name);
    this.#expiry.set(name, now + this.#lifetimeMs);
  }

  has(name: string): boolean {
    if (this.#expiry.size === 0) {
      return false;
    }
    const expiresAt = this.#expiry.get(name);
    return expiresAt !== undefined && expiresAt > this.#now();
  }
}
