import { createHash } from "node:crypto";
import type { TokenVerdict } from "./token-verdict.js";
import type { VerdictCacheMetrics } from "./verdict-cache-metrics.js";

/** Options of the cache of verdicts. */
export interface VerdictCacheOptions {
  /** Milliseconds that valid tokens are kept, at most until they expire; 0 for not at all. */
  readonly ttlMs: number;
  /** Returns the present in milliseconds since 1970. */
  readonly now: () => number;
  readonly metrics: VerdictCacheMetrics;
}

/** Largest number of valid tokens in memory: about ten megabytes. */
const maxValid = 10_000;
/** Largest number of unknown tokens in memory, apart from the valid ones, which they never displace. */
const maxUnknown = 1000;
const unknownTtlMs = 10_000;

interface Entry {
  readonly verdict: TokenVerdict;
  readonly untilMs: number;
}

/**
 * Remembers verdicts by the hash of the token; tokens themselves are not kept. Calls about one token at a time share
 * one verification. Refusals are not kept: such a token may be valid as soon as a key is known, and verifying it costs
 * little.
 */
export class VerdictCache {
  readonly #options: VerdictCacheOptions;
  readonly #valid = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<TokenVerdict>>();

  constructor(options: VerdictCacheOptions) {
    this.#options = options;
  }

  /** Returns the verdict in memory, or that of `verify`. Rejections of `verify` are not kept. */
  verdict(token: string, verify: (token: string) => Promise<TokenVerdict>): Promise<TokenVerdict> | TokenVerdict {
    const key = createHash("sha256").update(token).digest("base64");
    const known = this.#valid.get(key) ?? this.#unknown.get(key);
    if (known !== undefined && this.#options.now() < known.untilMs) {
      this.#options.metrics("hit");
      return known.verdict;
    }
    let pending = this.#pending.get(key);
    this.#options.metrics(pending === undefined ? "miss" : "shared");
    if (pending === undefined) {
      pending = verify(token)
        .then((verdict) => this.#keep(key, verdict))
        .finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  #keep(key: string, verdict: TokenVerdict): TokenVerdict {
    const { ttlMs, now } = this.#options;
    if (verdict.outcome === "valid") {
      put(this.#valid, maxValid, key, { verdict, untilMs: Math.min(now() + ttlMs, verdict.expiresAtMs) });
    } else {
      this.#valid.delete(key);
    }
    if (verdict.outcome === "unknown") {
      put(this.#unknown, maxUnknown, key, { verdict, untilMs: now() + Math.min(ttlMs, unknownTtlMs) });
    }
    return verdict;
  }
}

/** Adds an entry, and removes the oldest one beyond the limit. Entries live shortly, so their use does not matter. */
function put(entries: Map<string, Entry>, limit: number, key: string, entry: Entry): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > limit && oldest !== undefined) {
    entries.delete(oldest);
  }
}
