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

/** A reviewer of tokens that holds connections until it is disposed of. */
export interface OpenTokenReviewer extends Disposable {
  readonly reviewer: TokenReviewer;
  readonly hash: string;
}

/** Logger, clock, timing and metrics of a token reviewer; tests set the clock and the timing. */
export interface TokenReviewerContext {
  readonly logger: Logger;
  /** Present in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  readonly timing?: Partial<KeyTiming>;
  /** Registry of the metrics. Default: they are not shown. */
  readonly metrics?: MetricsRegistry;
}

/** Milliseconds that keys are trusted after an issuer has last confirmed them. */
const maxKeyAgeMs = 24 * 60 * 60 * 1000;

/** Milliseconds after which a replaced configuration is closed; no review takes longer. */
const retireAfterMs = 30_000;

/**
 * Opens a token reviewer that follows its document. A new document empties the cache of verdicts; keys of issuers are
 * kept.
 */
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

/** Returns the keys of an issuer, which outlive a configuration: the issuer may be down when the next one is read. */
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
