import { setMaxListeners } from "node:events";
import { networkInterfaces } from "node:os";
import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import type { ControllerName } from "../config/controller-names.js";
import { selectControllers } from "../config/controller-selection.js";
import type { ServerConfig } from "../config.js";
import type { Store } from "../storage/store.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { advertisedAddress } from "./advertised-address.js";
import { CatalogueObjectClient } from "./catalogue-object-client.js";
import { type Controller, runController } from "./controller.js";
import { ControllerManagerLease, restingBeside } from "./controller-manager-lease.js";
import { defaultServiceAccount } from "./default-service-account.js";
import { disruption } from "./disruption/disruption.js";
import { garbageCollector } from "./garbage-collector/garbage-collector.js";
import { kubernetesService } from "./kubernetes-service.js";
import { namespaceDeletion } from "./namespace-deletion.js";
import type { ObjectClient } from "./object-client.js";
import { podGarbageCollector } from "./pod-garbage-collector.js";
import { resourceQuota } from "./resource-quota/resource-quota.js";
import { rootCaPublisher } from "./root-ca-publisher.js";
import { storeServerLeases } from "./server-leases.js";
import { systemNamespaces } from "./system-namespaces.js";

/** Which controllers run, and the parts of the server that they work on. */
export interface StartControllersOptions {
  /** The value of `--controllers`, checked by checkControllerSelection. */
  readonly selection: readonly string[];
  readonly catalogues: CatalogueSource;
  readonly environment: VerbEnvironment;
  /** Where API servers tell each other that they are alive. */
  readonly store: Store;
  /** What clients inside the cluster verify this server with, as PEM. */
  readonly rootCa: string;
  /** The port that the server listens on. */
  readonly securePort: number;
  readonly config: Pick<ServerConfig, "advertiseAddress" | "bindAddress" | "endpointReconciler" | "keyPrefix"> & {
    readonly serviceRange: Pick<ServerConfig["serviceRange"], "firstAddress">;
  };
  /** Ends all controllers. */
  readonly signal: AbortSignal;
  /** Told of every failure; the controller tries again by itself. */
  readonly onError: (controller: string, error: unknown) => void;
}

/** Controllers that end with the signal they were started with. */
export interface RunningControllers {
  /** Resolves after the signal has aborted, when nothing runs any more. */
  readonly stopped: Promise<void>;
}

/** Starts what `--controllers` picks and returns at once. */
export function startControllers(options: StartControllersOptions): RunningControllers {
  const { catalogues, environment, signal, onError } = options;
  // Everything that is under way in a controller waits for it.
  setMaxListeners(0, signal);
  const client = new CatalogueObjectClient(catalogues, environment, signal);
  const lease = new ControllerManagerLease({
    client,
    signal,
    onError: (error) => onError("kube-controller-manager lease", error),
  });
  const running = selectControllers(options.selection).map((name) => {
    const controller = makers[name]({
      ...options,
      client,
      onError: (error) => onError(name, error),
    });
    if (controller === undefined) {
      return undefined;
    }
    return runController(resting.has(name) ? restingBeside(lease, controller) : controller, { signal, onError });
  });
  return { stopped: Promise.all(running).then(() => undefined) };
}

/** What two cannot do at the same time without getting into each other's way. */
const resting: ReadonlySet<ControllerName> = new Set<ControllerName>([
  "disruption-controller",
  "garbage-collector-controller",
  "pod-garbage-collector-controller",
  "resourcequota-controller",
]);

/** What a controller is made of. */
interface ControllerParts extends Omit<StartControllersOptions, "onError"> {
  readonly client: ObjectClient;
  readonly onError: (error: unknown) => void;
}

const makers: Readonly<Record<ControllerName, (parts: ControllerParts) => Controller | undefined>> = {
  "system-namespaces-controller": systemNamespaces,
  "kubernetes-service-controller": makeKubernetesService,
  "serviceaccount-controller": defaultServiceAccount,
  "root-ca-certificate-publisher-controller": rootCaPublisher,
  "pod-garbage-collector-controller": (parts) => podGarbageCollector({ ...parts, now: parts.environment.now }),
  "garbage-collector-controller": (parts) =>
    parts.environment.garbageCollection ? garbageCollector({ ...parts, now: parts.environment.now }) : undefined,
  "resourcequota-controller": (parts) => resourceQuota({ ...parts, now: parts.environment.now }),
  "disruption-controller": (parts) => disruption({ ...parts, now: parts.environment.now }),
  "namespace-controller": (parts) => namespaceDeletion({ ...parts, now: parts.environment.now }),
};

function makeKubernetesService(parts: ControllerParts): Controller {
  const { config, store } = parts;
  return kubernetesService({
    ...parts,
    clusterIP: config.serviceRange.firstAddress,
    address: advertisedAddress(config, networkInterfaces),
    reconciler: config.endpointReconciler,
    leases: storeServerLeases(store, config.keyPrefix),
  });
}
