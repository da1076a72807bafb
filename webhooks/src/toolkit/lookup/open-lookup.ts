import type { Cluster } from "@gatehouse/component-base/cluster";
import type { HealthCheck } from "@gatehouse/component-base/health";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { pause } from "@gatehouse/component-base/time";
import { openCluster } from "../cluster/open-cluster.js";
import type { Hook } from "../hooks/hook.js";
import { type Lookup, lookupIn } from "./lookup.js";
import { ObjectCache } from "./object-cache.js";
import type { ReadableResource } from "./readable-resource.js";

/** Options of `openLookup()`. */
export interface OpenLookupOptions {
  /** Hooks whose `reads` name the resources to follow. */
  readonly hooks: readonly Hook[];
  /** Path of the kubeconfig of the cluster. Default: the first of KUBECONFIG; without that, the service account of the pod. */
  readonly kubeconfigFile?: string | undefined;
  /** Environment variables that say where the cluster is. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Logger of failures to reach the cluster. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** A lookup that follows the cluster until it is closed. */
export interface OpenLookup extends Lookup, Disposable {
  /** True once all objects of every resource have arrived; before that, hooks that read fail to decide. */
  readonly isReady: boolean;
  /** Checks for `startWebhookServer`, one for each resource, that fail until its objects have arrived. */
  readonly readiness: readonly HealthCheck[];
  /** Ends the watches and the connections. The objects that have arrived can still be read. */
  close(): void;
}

const firstDelayMs = 200;
const longestDelayMs = 30_000;

/**
 * Opens a lookup that watches every resource that a hook reads, and keeps its objects in memory until it is closed. It
 * connects to nothing when no hook reads. Rejects with ConfigurationError when nothing says where the cluster is. A
 * cluster that cannot be reached is tried again and again, which the log tells and `readiness` shows.
 *
 * @example
 * const lookup = await openLookup({ hooks, kubeconfigFile: "kubeconfig" });
 * const app = express();
 * app.use(admission({ hooks, lookup }));
 * const server = createServer(tlsOptions, app).listen(8443);
 * process.once("SIGTERM", () => {
 *   server.close();
 *   lookup.close();
 * });
 */
export async function openLookup(options: OpenLookupOptions): Promise<OpenLookup> {
  const { hooks, kubeconfigFile, env = process.env, logger = silentLogger } = options;
  const resources = new Map<string, ReadableResource<unknown>>();
  for (const resource of hooks.flatMap(({ reads }) => reads)) {
    resources.set(`${resource.apiVersion}/${resource.resource}`, resource);
  }
  const caches = new Map([...resources].map(([key]) => [key, new ObjectCache()]));
  const stopping = new AbortController();
  if (resources.size === 0) {
    return { ...lookupIn(caches), isReady: true, readiness: [], close() {}, [Symbol.dispose]() {} };
  }
  const cluster = await openCluster({ kubeconfigFile, env });
  for (const [key, cache] of caches) {
    void follow(cluster, resources.get(key) as ReadableResource<unknown>, cache, logger, stopping.signal);
  }
  const close = (): void => {
    stopping.abort();
    cluster[Symbol.dispose]();
  };
  return {
    ...lookupIn(caches),
    get isReady() {
      return [...caches.values()].every(({ isComplete }) => isComplete);
    },
    readiness: [...caches].map(([key, cache]) => ({
      name: `lookup-${key.replaceAll("/", "-")}`,
      check() {
        if (!cache.isComplete) {
          throw new Error(`the objects of ${key} have not arrived yet`);
        }
      },
    })),
    close,
    [Symbol.dispose]: close,
  };
}

/**
 * Keeps a cache as the cluster has it until the signal aborts: lists, watches from there, and lists again when the server
 * no longer knows the version to watch from.
 */
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
