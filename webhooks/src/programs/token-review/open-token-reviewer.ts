import type { FollowedFiles } from "@gatehouse/component-base/files";
import type { KeyShelf, KeyTiming, KnownKeys } from "@gatehouse/component-base/identity-tokens";
import type { Logger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { openReloadingDocument, type ReloadingDocumentOptions } from "../review-program/reloading-document.js";
import { openIntrospectionSource } from "./introspection-source.js";
import { openIssuerSource } from "./issuer-source.js";
import { readTokenReviewConfiguration, type TokenReviewConfiguration } from "./read-token-review-configuration.js";
import { TokenReviewer } from "./token-reviewer.js";
import { type VerdictCacheMetrics, verdictCacheMetrics } from "./verdict-cache-metrics.js";

/** What reviews tokens, until it is disposed of. */
export interface OpenTokenReviewer extends Disposable {
  readonly reviewer: TokenReviewer;
  readonly hash: string;
}

/** What surrounds it, for tests. */
export interface TokenReviewerContext {
  readonly logger: Logger;
  /** Milliseconds since 1970. Default: the time. */
  readonly now?: () => number;
  readonly timing?: Partial<KeyTiming>;
  /** Default: nobody sees them. */
  readonly metrics?: MetricsRegistry;
}

/** Keys that an issuer has not confirmed for a day are not trusted any more. */
const maxKeyAgeMs = 24 * 60 * 60 * 1000;

/** No review takes longer; then nobody uses the configuration of before any more. */
const retireAfterMs = 30_000;

/** Follows the document; with what it says anew nothing that was remembered counts any more, but keys of issuers do. */
export async function openReloadingTokenReviewer(
  options: ReloadingDocumentOptions & TokenReviewerContext,
): Promise<FollowedFiles<OpenTokenReviewer>> {
  const shelves = new Map<string, KeyShelf>();
  const open = new Set<OpenTokenReviewer>();
  const metrics = verdictCacheMetrics(options.metrics ?? createMetricsRegistry({ processMetrics: false }));
  const reading = {
    name: "token review configuration",
    async read(file: string): Promise<OpenTokenReviewer> {
      const next = await openTokenReviewer(await readTokenReviewConfiguration(file), { ...options, metrics }, shelves);
      for (const reviewer of open) {
        open.delete(reviewer);
        setTimeout(() => reviewer[Symbol.dispose](), retireAfterMs).unref();
      }
      open.add(next);
      return next;
    },
    hashOf: ({ hash }: OpenTokenReviewer) => hash,
  };
  const followed = await openReloadingDocument(reading, options);
  return {
    get current() {
      return followed.current;
    },
    checkNow: () => followed.checkNow(),
    [Symbol.dispose]() {
      followed[Symbol.dispose]();
      for (const reviewer of open) {
        reviewer[Symbol.dispose]();
      }
    },
  };
}

interface OpenTokenReviewerContext extends Omit<TokenReviewerContext, "metrics"> {
  readonly metrics: VerdictCacheMetrics;
}

async function openTokenReviewer(
  { audiences, issuers, introspection, cacheTtlMs, hash }: TokenReviewConfiguration,
  { logger, metrics, now = Date.now, timing = {} }: OpenTokenReviewerContext,
  shelves: Map<string, KeyShelf>,
): Promise<OpenTokenReviewer> {
  const ending = new AbortController();
  const common = { now, signal: ending.signal };
  const onTrouble = (issuer: string, error: Error | undefined): void =>
    error === undefined
      ? logger.info("an issuer answers", { issuer })
      : logger.error("an issuer does not answer as it should", { issuer, error });
  const tokens = await Promise.all(
    issuers.map((issuer) =>
      openIssuerSource({
        ...common,
        issuer,
        maxAgeMs: maxKeyAgeMs,
        shelf: shelfOf(shelves, issuer.url),
        onTrouble,
        timing,
      }),
    ),
  );
  const servers = introspection.map((server) => openIntrospectionSource({ ...common, server }));
  return {
    reviewer: new TokenReviewer({ audiences, sources: [...tokens, ...servers], ttlMs: cacheTtlMs, now, metrics }),
    hash,
    [Symbol.dispose]() {
      ending.abort();
      for (const server of servers) {
        server[Symbol.dispose]();
      }
    },
  };
}

/** Keys outlive a configuration in memory: its issuer may be down when the next one comes. */
function shelfOf(shelves: Map<string, KeyShelf>, issuerUrl: string): KeyShelf {
  const known = shelves.get(issuerUrl);
  if (known !== undefined) {
    return known;
  }
  let kept: KnownKeys | undefined;
  const shelf: KeyShelf = {
    read: async () => kept,
    async write(keys) {
      kept = keys;
    },
  };
  shelves.set(issuerUrl, shelf);
  return shelf;
}
