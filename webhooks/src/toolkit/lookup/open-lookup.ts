import type { HealthCheck } from "@gatehouse/component-base/health";
import type { Logger } from "@gatehouse/component-base/logs";
import { pause } from "@gatehouse/component-base/time";
import { type Cluster, openCluster } from "../cluster/open-cluster.js";
import type { Hook } from "../hooks/hook.js";
import { type Lookup, lookupIn } from "./lookup.js";
import { ObjectCache } from "./object-cache.js";
import type { ReadableResource } from "./readable-resource.js";

/** What is to be kept in memory, and of which cluster. */
export interface OpenLookupOptions {
  readonly hooks: readonly Hook[];
  readonly kubeconfigFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** A lookup that follows the cluster until it is closed. */
export interface OpenLookup extends Lookup {
  /** Not ready until every resource has been listed. */
  readonly readiness: readonly HealthCheck[];
  close(): void;
}

const firstDelayMs = 200;
const longestDelayMs = 30_000;

/**
 * Watches every resource that a hook reads, and keeps its objects. Without such a resource nothing is connected. Rejects
 * with ConfigurationError when nothing says where the cluster is; that it cannot be reached shows in readiness only.
 */
export async function openLookup(options: OpenLookupOptions): Promise<OpenLookup> {
  const resources = new Map<string, ReadableResource<unknown>>();
  for (const resource of options.hooks.flatMap(({ reads }) => reads)) {
    resources.set(`${resource.apiVersion}/${resource.resource}`, resource);
  }
  const caches = new Map([...resources].map(([key]) => [key, new ObjectCache()]));
  const stopping = new AbortController();
  if (resources.size === 0) {
    return { ...lookupIn(caches), readiness: [], close() {} };
  }
  const cluster = await openCluster(options);
  for (const [key, cache] of caches) {
    void follow(cluster, resources.get(key) as ReadableResource<unknown>, cache, options.logger, stopping.signal);
  }
  return {
    ...lookupIn(caches),
    readiness: [...caches].map(([key, cache]) => ({
      name: `lookup-${key.replaceAll("/", "-")}`,
      check() {
        if (!cache.isComplete) {
          throw new Error(`the objects of ${key} have not arrived yet`);
        }
      },
    })),
    close() {
      stopping.abort();
      cluster[Symbol.dispose]();
    },
  };
}

/** Lists, watches from there, and begins anew when the server no longer knows the place; for ever. */
async function follow(
  cluster: Cluster,
  resource: ReadableResource<unknown>,
  cache: ObjectCache,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    try {
      const replacing = cache.beginReplacing();
      let at = await cluster.list(resource, (item) => replacing.add(item), signal);
      replacing.finish();
      delayMs = firstDelayMs;
      while (!signal.aborted) {
        await cluster.watch(resource, at, (event) => (at = cache.apply(event) ?? at), signal);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      logger.warn("cannot follow a resource that hooks read, trying again", {
        resource: resource.resource,
        apiVersion: resource.apiVersion,
        delayMs,
        error: error instanceof Error ? error : new Error(String(error)),
      });
      await pause(delayMs, signal);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }
}
