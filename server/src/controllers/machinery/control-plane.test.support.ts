import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { builtinDefaultingRules, createDefaulting, type GroupResource, type JsonObject } from "@gatehouse/envelopes";
import { RbacIndex } from "@gatehouse/policies";
import { AdmissionChain } from "../../admission/admission-chain.js";
import { testParts } from "../../admission/plugin.test.support.js";
import type { MakePlugin, PluginParts } from "../../admission/plugin-parts.js";
import { namespaceLifecycle } from "../../admission/plugins/namespace-lifecycle.js";
import { objectAccess } from "../../assembly/object-access.js";
import { Catalogue } from "../../catalogue/catalogue.js";
import { LiveCatalogue } from "../../catalogue/live-catalogue.js";
import { openResources, selectDefinitions } from "../../catalogue/open-resources.js";
import { ResourceStorages } from "../../catalogue/resource-storages.js";
import type { WriteTransactions } from "../../catalogue/write-transactions.js";
import { defaultFeatureGates } from "../../config/feature-gates.js";
import { parseRuntimeConfig } from "../../config/runtime-config.js";
import { builtinResources } from "../../kinds/index.js";
import { metaOf } from "../../objects/object-meta.js";
import { PendingCharges } from "../../quota/pending-charges.js";
import { StoreFeed } from "../../storage/cache/store-feed.js";
import { openLmdbStore } from "../../storage/lmdb/lmdb-store.js";
import type { Store } from "../../storage/store.js";
import type { VerbEnvironment } from "../../verbs/verb-environment.js";
import { CatalogueObjectClient } from "./catalogue-object-client.js";
import { type Controller, runController } from "./controller.js";
import { namespaces } from "./core-resources.js";
import type { ObjectClient } from "./object-client.js";

export const keyPrefix = "/registry/";

/** All of the server but its wire, over a real store in a temporary directory. */
export interface TestControlPlane extends AsyncDisposable {
  readonly client: ObjectClient;
  readonly store: Store;
  readonly catalogues: LiveCatalogue;
  readonly storages: ResourceStorages;
  readonly environment: VerbEnvironment;
  readonly pendingCharges: PendingCharges;
  readonly signal: AbortSignal;
  /** Errors that controllers have reported. */
  readonly errors: unknown[];
  /** Runs a controller until the end of the test. */
  start(controller: Controller): void;
  /** Makes an object and returns its uid. */
  make(resource: GroupResource, object: JsonObject): Promise<string>;
  makeNamespace(name: string): Promise<string>;
}

export interface TestControlPlaneOptions {
  /** Makes the transactions that writes of resources take part in. */
  readonly transactions?: (store: Store) => ReadonlyMap<string, WriteTransactions>;
  /** Admission plugins besides NamespaceLifecycle. */
  readonly plugins?: readonly MakePlugin[];
}

export async function openTestControlPlane(options: TestControlPlaneOptions = {}): Promise<TestControlPlane> {
  const directory = await mkdtemp(join(tmpdir(), "controllers-"));
  const store = await openLmdbStore({ directory: join(directory, "data") });
  const errors: unknown[] = [];
  const feed = new StoreFeed({ store, prefix: keyPrefix, onTrouble: (error) => errors.push(error) });
  const stopping = new AbortController();
  const { signal } = stopping;
  const features = defaultFeatureGates();
  const definitions = selectDefinitions(builtinResources, {
    runtimeConfig: parseRuntimeConfig(new Map()).config,
    featureGates: features,
  });
  const transactions = options.transactions?.(store) ?? new Map<string, WriteTransactions>();
  const storages = new ResourceStorages({ store, feed, keyPrefix });
  const catalogues = new LiveCatalogue(new Catalogue(openResources(definitions, { storages, transactions })));
  const pendingCharges = new PendingCharges(Date.now);
  const objects = objectAccess(catalogues, () => client);
  const parts: PluginParts = {
    ...testParts(),
    objects,
    pendingCharges,
    signal,
  };
  const plugins = await Promise.all([namespaceLifecycle, ...(options.plugins ?? [])].map((make) => make(parts)));
  await objects.ready();
  const environment: VerbEnvironment = {
    catalogues,
    admission: new AdmissionChain(plugins),
    privileges: { mayDo: parts.mayDo, rbac: async () => new RbacIndex() },
    defaulting: createDefaulting(builtinDefaultingRules),
    now: Date.now,
    eventTtlSeconds: 3600,
    features,
    allowPrivileged: false,
    minRequestTimeoutMs: 1000,
    deleteCollectionWorkers: 1,
    garbageCollection: true,
    podTermination: "graceful",
    stopping: signal,
    metrics: { deprecatedApi() {}, watchStarted: () => () => {}, watchEvents() {} },
    reportFault: (error) => errors.push(error),
    storeHealthy: async () => true,
  };
  const client = new CatalogueObjectClient(catalogues, environment, signal, "test");
  const running: Promise<void>[] = [];
  const make = async (resource: GroupResource, object: JsonObject): Promise<string> => {
    const uid = metaOf(await client.create(resource, object)).uid;
    return uid ?? "";
  };
  return {
    client,
    store,
    catalogues,
    storages,
    environment,
    pendingCharges,
    signal,
    errors,
    start(controller) {
      running.push(runController(controller, { signal, onError: (_name, error) => errors.push(error) }));
    },
    make,
    makeNamespace: (name) => make(namespaces, { kind: "Namespace", apiVersion: "v1", metadata: { name } }),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running);
      await feed[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Repeats an assertion until it holds, or throws its last error. */
export async function eventually(assertion: () => void | Promise<void>, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
      await wait(10);
    }
  }
}
