import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdmissionChain, namespaceLifecycle } from "@gatehouse/apiserver/admission";
import { type Controller, InProcessObjectClient, type ObjectClient, runController } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { defaultFeatureGates, parseRuntimeConfig } from "@gatehouse/apiserver/options";
import {
  LiveRegistry,
  openResources,
  ResourceRegistry,
  ResourceStorages,
  selectDefinitions,
  type WriteTransactions,
} from "@gatehouse/apiserver/registry";
import { objectAccess } from "@gatehouse/apiserver/server";
import { type Store, StoreFeed } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { type VerbEnvironment, WatchEnds } from "@gatehouse/apiserver/verbs";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { RbacIndex } from "@gatehouse/policies/rbac";
import { testParts } from "./admission-plugins/plugin.test.support.js";
import type { PluginParts } from "./admission-plugins/plugin-parts.js";
import { namespaces } from "./controllers/core-resources.js";
import { builtinResources } from "./kinds/builtin-resources.js";
import type { ControlPlanePlugin } from "./options/admission-plugins.js";
import { registeredVersions } from "./options/registered-versions.js";
import { PendingCharges } from "./quota/pending-charges.js";

export const keyPrefix = "/registry/";

/** All of the server but its wire, over a real store in a temporary directory. */
export interface TestControlPlane extends AsyncDisposable {
  readonly client: ObjectClient;
  readonly store: Store;
  readonly liveRegistry: LiveRegistry;
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
  /** Group versions that are served although they are not by default. */
  readonly serves?: readonly string[];
  /** Admission plugins besides NamespaceLifecycle. */
  readonly plugins?: readonly NonNullable<ControlPlanePlugin["make"]>[];
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
    runtimeConfig: parseRuntimeConfig(
      new Map(options.serves?.map((groupVersion) => [groupVersion, "true"])),
      registeredVersions,
    ).config,
    featureGates: features,
  });
  const transactions = options.transactions?.(store) ?? new Map<string, WriteTransactions>();
  const storages = new ResourceStorages({ store, feed, keyPrefix });
  const liveRegistry = new LiveRegistry(new ResourceRegistry(openResources(definitions, { storages, transactions })));
  const pendingCharges = new PendingCharges(Date.now);
  const objects = objectAccess(liveRegistry, () => client);
  const parts: PluginParts = {
    ...testParts(),
    objects,
    pendingCharges,
    signal,
  };
  const plugins = await Promise.all([namespaceLifecycle, ...(options.plugins ?? [])].map((make) => make(parts)));
  await objects.ready();
  const environment: VerbEnvironment = {
    liveRegistry,
    admission: new AdmissionChain(plugins),
    privileges: { mayDo: parts.mayDo, rbac: async () => new RbacIndex(), objects },
    defaulting: createDefaulting(builtinDefaultingFunctions),
    now: Date.now,
    eventTtlSeconds: 3600,
    features,
    allowPrivileged: false,
    minRequestTimeoutMs: 1000,
    deleteCollectionWorkers: 1,
    garbageCollection: true,
    podTermination: "graceful",
    watchEnds: new WatchEnds(),
    stopping: signal,
    metrics: {
      deprecatedApi() {},
      longRunningStarted: () => () => {},
      watchEvents() {},
      watchListSent() {},
      selfRequest() {},
    },
    reportFault: (error) => errors.push(error),
    storeHealthy: async () => true,
  };
  const client = new InProcessObjectClient(liveRegistry, environment, signal, "test");
  const running: Promise<void>[] = [];
  const make = async (resource: GroupResource, object: JsonObject): Promise<string> => {
    const uid = metaOf(await client.create(resource, object)).uid;
    return uid ?? "";
  };
  return {
    client,
    store,
    liveRegistry,
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
