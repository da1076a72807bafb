import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, ownObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { ServerConfig } from "../../options/server-config.js";
import { namespaces, services } from "../core-resources.js";
import { isExternal } from "./advertised-address.js";
import { countedAddresses } from "./counted-addresses.js";
import { publishEndpoints, publishedAddresses } from "./kubernetes-endpoints.js";
import type { ServerLeases } from "./server-leases.js";

/** The options of the controller: the addresses of the Service and of this server, and the leases. */
export interface KubernetesServiceOptions extends ControllerOptions {
  /** The address of the Service. */
  readonly clusterIP: string;
  /** The port that the server listens on. */
  readonly securePort: number;
  /** The address under which others reach the server. */
  readonly address: string;
  readonly reconciler: ServerConfig["endpointReconciler"];
  /** The number of servers that `master-count` expects. */
  readonly serverCount: number;
  readonly leases: ServerLeases;
  /** The port on nodes of the Service, which is then of type NodePort; 0 for none. */
  readonly nodePort: number;
}

/** Interval in milliseconds between reconciliations, each of which renews the lease of this server (as in v1.29). */
const intervalMs = 10_000;

const target = { namespace: "default", name: "kubernetes" } as const;

/**
 * Keeps the Service `kubernetes`, by which pods find the API server, and its endpoints. With `lease` these are all
 * servers that are alive, with `master-count` as many as there are said to be, and with `none` other software keeps them.
 */
export function kubernetesService(options: KubernetesServiceOptions): Controller {
  const { client, address, reconciler, leases, securePort } = options;
  const work = async (): Promise<{ readonly afterMs: number }> => {
    await ensureNamespace();
    await ensureService();
    if (reconciler !== "none") {
      // The validation of endpoints refuses loopback addresses: what only this machine can reach is nobody's endpoint.
      const reachable = (await liveAddresses(address)).filter(isExternal);
      if (reachable.length > 0) {
        await publishEndpoints(client, reachable, securePort);
      }
    }
    return { afterMs: intervalMs };
  };
  const ensureNamespace = async (): Promise<void> => {
    if ((await client.get(namespaces, "", target.namespace)) === undefined) {
      await client.create(namespaces, { kind: "Namespace", apiVersion: "v1", metadata: { name: target.namespace } });
    }
  };
  const ensureService = async (): Promise<void> => {
    const service = await client.get(services, target.namespace, target.name);
    if (service === undefined) {
      await client.create(services, serviceObject(options));
    } else if (revise(service, options) !== undefined) {
      await client.update(services, target, (current) => revise(current, options));
    }
  };
  const liveAddresses = async (own: string): Promise<readonly string[]> => {
    if (reconciler === "master-count") {
      return countedAddresses(await publishedAddresses(client), own, options.serverCount);
    }
    await leases.renew(own);
    const alive = await leases.addresses();
    if (alive.length === 0) {
      throw new Error(
        "no server has a lease although this one has just renewed its own; the endpoints stay as they are",
      );
    }
    return alive;
  };
  return {
    name: "kubernetes-service-controller",
    async run(signal) {
      // What others delete stays away until the next interval, as in v1.29: suites rely on it to take the address.
      await reconcile({ ...options, signal, concurrency: 1, work, initial: [target.name], sources: [] });
      if (reconciler === "lease") {
        // The others need not wait until the lease runs out.
        await leases.release(address);
      }
    },
  };
}

type ServicePort = Pick<KubernetesServiceOptions, "nodePort" | "securePort">;

function servicePorts({ nodePort, securePort }: ServicePort): JsonObject[] {
  const port = { name: "https", protocol: "TCP", port: 443, targetPort: securePort };
  return [nodePort === 0 ? port : { ...port, nodePort }];
}

function serviceType({ nodePort }: ServicePort): string {
  return nodePort === 0 ? "ClusterIP" : "NodePort";
}

function serviceObject(options: KubernetesServiceOptions): JsonObject {
  const { clusterIP } = options;
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: { ...target, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      type: serviceType(options),
      // The server adds the addresses and their families, which have no owner then, as in v1.29.
      clusterIP,
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
      sessionAffinity: "None",
      ports: servicePorts(options),
    },
  };
}

/** Resets type and ports of the Service, without which clients cannot connect; undefined when both are right. */
function revise(service: JsonObject, options: ServicePort): JsonObject | undefined {
  const ports = servicePorts(options);
  const type = serviceType(options);
  if (textAt(service, "spec", "type") === type && isSameState(valueAt(service, "spec", "ports"), ports)) {
    return undefined;
  }
  const spec = ownObject(service, "spec");
  spec["type"] = type;
  spec["ports"] = ports;
  return service;
}
