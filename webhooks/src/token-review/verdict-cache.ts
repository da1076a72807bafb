import { createHash } from "node:crypto";
import type { TokenVerdict } from "./token-verdict.js";

/** How long verdicts are remembered. */
export interface VerdictCacheOptions {
  /** Of valid tokens, but never beyond their own end. 0: they are not remembered. */
  readonly ttlMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** About ten megabytes. */
const maxEntries = 10_000;
/** Whoever tries again and again with a token that is refused costs little. */
const refusalTtlMs = 10_000;

interface Entry {
  readonly verdict: TokenVerdict;
  readonly untilMs: number;
}

/** Remembers verdicts by the hash of the token; tokens themselves are not kept. A token is looked into once at a time. */
export class VerdictCache {
  readonly #options: VerdictCacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<TokenVerdict>>();

  constructor(options: VerdictCacheOptions) {
    this.#options = options;
  }

  /** What is known of the token, or what `verify` finds out. That it could not find out is not remembered. */
  verdict(token: string, verify: (token: string) => Promise<TokenVerdict>): Promise<TokenVerdict> | TokenVerdict {
    const key = createHash("sha256").update(token).digest("base64");
    const known = this.#entries.get(key);
    if (known !== undefined && this.#options.now() < known.untilMs) {
      return known.verdict;
    }
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = verify(token)
        .then((verdict) => this.#keep(key, verdict))
        .finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  #keep(key: string, verdict: TokenVerdict): TokenVerdict {
    if (verdict.outcome === "unavailable") {
      return verdict;
    }
    const { ttlMs, now } = this.#options;
    const untilMs =
      verdict.outcome === "valid"
        ? Math.min(now() + ttlMs, verdict.expiresAtMs)
        : now() + Math.min(ttlMs, refusalTtlMs);
    // Last in, last out: entries live shortly, so it does not matter which are used.
    this.#entries.delete(key);
    this.#entries.set(key, { verdict, untilMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
    return verdict;
  }
}
