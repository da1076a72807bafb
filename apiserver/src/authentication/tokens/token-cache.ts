import { hash, randomBytes } from "node:crypto";
import type { MaybePromise } from "../../request/handler.js";
import type { AuthenticationDecision } from "../authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";
import type { TokenCacheMetrics } from "./token-cache-metrics.js";

/** The delegate of a token cache, and how long its decisions are kept. */
export interface TokenCacheOptions {
  readonly delegate: TokenAuthenticator;
  /** Milliseconds for tokens that are good. 0: nothing is kept. */
  readonly successTtlMs: number;
  /** Milliseconds for tokens that nobody knows, or that were refused. 0: nothing is kept. */
  readonly failureTtlMs: number;
  /**
   * True if refusals are cached like unknown tokens; otherwise they may come from passing trouble, and are not cached.
   */
  readonly keepsRefusals: boolean;
  readonly metrics: TokenCacheMetrics;
  /** Milliseconds on a monotonic clock. Default `performance.now`. */
  readonly now?: () => number;
  readonly maxEntries?: number;
}

/** The number of tokens that v1.29 keeps: twice the nodes and namespaces that it is made for. */
const defaultMaxEntries = 32 * 1024;

/** The token that a connection has shown last, with its key in the cache. */
interface Shown {
  readonly token: string;
  readonly audiences: readonly string[];
  readonly key: string;
}

interface Known {
  readonly decision: AuthenticationDecision;
  readonly untilMs: number;
}

/**
 * Caches decisions about tokens by a keyed digest: no token is kept beyond the connection that has shown it, and nobody
 * can prepare one that collides with another. Concurrent requests with the same token share one call.
 */
export function tokenCache(options: TokenCacheOptions): TokenAuthenticator {
  const { delegate, metrics, now = () => performance.now(), maxEntries = defaultMaxEntries } = options;
  const secret = randomBytes(32).toString("hex");
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<AuthenticationDecision>>();
  const shown = new WeakMap<object, Shown>();

  /**
   * Returns the key of a token. The last one of a connection is kept with it: a digest costs more than all other work
   * for a cached token.
   */
  const keyOf = (token: string, audiences: readonly string[], connection: object | undefined): string => {
    const last = connection === undefined ? undefined : shown.get(connection);
    if (last !== undefined && last.token === token && last.audiences === audiences) {
      return last.key;
    }
    const key = hash("sha256", `${secret}\0${audiences.join("\0")}\0\0${token}`, "base64");
    if (connection !== undefined) {
      shown.set(connection, { token, audiences, key });
    }
    return key;
  };

  const ttlOf = ({ outcome }: AuthenticationDecision): number =>
    outcome === "authenticated"
      ? options.successTtlMs
      : outcome === "rejected" && !options.keepsRefusals
        ? 0
        : options.failureTtlMs;

  const keep = (key: string, decision: AuthenticationDecision): AuthenticationDecision => {
    const ttlMs = ttlOf(decision);
    if (ttlMs > 0) {
      // The oldest goes: what is still in use comes back at the price of one check.
      const oldest = known.size >= maxEntries ? known.keys().next().value : undefined;
      if (oldest !== undefined) {
        known.delete(oldest);
      }
      known.set(key, { decision, untilMs: now() + ttlMs });
    }
    return decision;
  };

  const look = (key: string, token: string, audiences: readonly string[]): MaybePromise<AuthenticationDecision> => {
    const fetched = metrics.fetch();
    const decision = delegate.authenticateToken(token, audiences);
    if (!(decision instanceof Promise)) {
      fetched(decision.outcome !== "rejected");
      return keep(key, decision);
    }
    const shared = decision
      .then((late) => {
        fetched(late.outcome !== "rejected");
        return keep(key, late);
      })
      .finally(() => asked.delete(key));
    asked.set(key, shared);
    return shared;
  };

  return {
    authenticateToken(token, audiences, connection) {
      const key = keyOf(token, audiences, connection);
      const found = known.get(key);
      if (found !== undefined) {
        if (found.untilMs > now()) {
          metrics.hit();
          return found.decision;
        }
        known.delete(key);
      }
      const [answered, askedAtMs] = [metrics.miss(), now()];
      const waiting = asked.get(key) ?? look(key, token, audiences);
      if (!(waiting instanceof Promise)) {
        answered((now() - askedAtMs) / 1000);
        return waiting;
      }
      return waiting.finally(() => answered((now() - askedAtMs) / 1000));
    },
  };
}
