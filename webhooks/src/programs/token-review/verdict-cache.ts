import { createHash } from "node:crypto";
import type { TokenVerdict } from "./token-verdict.js";
import type { VerdictCacheMetrics } from "./verdict-cache-metrics.js";

/** How long verdicts are remembered. */
export interface VerdictCacheOptions {
  /** Of valid tokens, but never beyond their own end. 0: they are not remembered. */
  readonly ttlMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly metrics: VerdictCacheMetrics;
}

/** About ten megabytes. */
const maxValid = 10_000;
/** Whoever tries again and again with a token that nobody knows costs little, and drives no good one out. */
const maxUnknown = 1000;
const unknownTtlMs = 10_000;

interface Entry {
  readonly verdict: TokenVerdict;
  readonly untilMs: number;
}

/**
 * Remembers verdicts by the hash of the token; tokens themselves are not kept. A token is looked into once at a time. Why
 * one is refused is not remembered: it may be good as soon as a key is known, and costs little.
 */
export class VerdictCache {
  readonly #options: VerdictCacheOptions;
  readonly #valid = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<TokenVerdict>>();

  constructor(options: VerdictCacheOptions) {
    this.#options = options;
  }

  /** What is known of the token, or what `verify` finds out. That it could not find out is not remembered. */
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

/** First in, first out: entries live shortly, so it does not matter which are used. */
function put(entries: Map<string, Entry>, limit: number, key: string, entry: Entry): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > limit && oldest !== undefined) {
    entries.delete(oldest);
  }
}
