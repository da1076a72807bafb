import type { ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, objectAt } from "@gatehouse/envelopes/json";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { ipAddresses, ipAddressOf, type ServiceName } from "../../ip-addresses/ip-address-object.js";
import { serviceCidrs } from "../../ip-addresses/service-cidrs.js";
import { services } from "../core-resources.js";

/** A control plane that serves ServiceCIDRs and IPAddresses, and allocates nothing itself. */
export interface AddressPlane extends TestControlPlane {
  makeCidr(name: string, ...cidrs: string[]): Promise<void>;
  makeService(name: string, ...addresses: string[]): Promise<string>;
  makeIpAddress(address: string, service: string, change?: (object: JsonObject) => void): Promise<string>;
  cidr(name: string): Promise<JsonObject | undefined>;
  ipAddress(address: string): Promise<JsonObject | undefined>;
  /** Returns the Ready condition of a ServiceCIDR, without its time. */
  ready(name: string): Promise<JsonObject | undefined>;
  /** Returns the events, each as its reason and its note. */
  notes(): Promise<readonly string[]>;
}

export const namespace = "ns";

export async function openAddressPlane(): Promise<AddressPlane> {
  const plane = await openTestControlPlane({ serves: ["networking.k8s.io/v1alpha1"] });
  const { client } = plane;
  await plane.makeNamespace(namespace);
  await plane.makeNamespace("default");
  const make = async (resource: typeof services, object: JsonObject): Promise<string> => {
    const uid = await plane.make(resource, object);
    await client.catchUp();
    return uid;
  };
  return Object.assign(plane, {
    async makeCidr(name: string, ...cidrs: string[]) {
      const apiVersion = "networking.k8s.io/v1alpha1";
      await make(serviceCidrs, { kind: "ServiceCIDR", apiVersion, metadata: { name }, spec: { cidrs } });
    },
    makeService: (name: string, ...addresses: string[]) =>
      make(services, {
        kind: "Service",
        apiVersion: "v1",
        metadata: { name, namespace },
        spec: {
          type: "ClusterIP",
          sessionAffinity: "None",
          ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
          ...(addresses.length === 0 ? {} : { clusterIP: addresses[0] as string, clusterIPs: addresses }),
          ipFamilies: addresses.map((address) => (address.includes(":") ? "IPv6" : "IPv4")),
          ipFamilyPolicy: addresses.length > 1 ? "RequireDualStack" : "SingleStack",
          internalTrafficPolicy: "Cluster",
        },
      }),
    makeIpAddress(address: string, service: string, change: (object: JsonObject) => void = () => {}) {
      const owner: ServiceName = { namespace, name: service };
      const object = ipAddressOf(address, owner);
      change(object);
      return make(ipAddresses, object);
    },
    cidr: (name: string) => client.get(serviceCidrs, "", name),
    ipAddress: (address: string) => client.get(ipAddresses, "", address),
    async ready(name: string) {
      const [condition] = listAt(await client.get(serviceCidrs, "", name), "status", "conditions");
      const { lastTransitionTime: _time, ...rest } = objectAt(condition);
      return rest;
    },
    async notes() {
      const events = await client.list({ group: "events.k8s.io", resource: "events" }, "");
      const texts = events.map(({ entry }) => {
        const { reason, note, message } = entry.object();
        return `${reason}: ${note ?? message}`;
      });
      return texts.sort();
    },
  });
}

/** Returns the uid of an object; the empty text when there is none. */
export function uidOfObject(object: JsonObject | undefined): string {
  return metaOf(object ?? {}).uid ?? "";
}

/** Returns a client with some of its methods replaced. */
export function withMethods(client: ObjectClient, methods: Partial<ObjectClient>): ObjectClient {
  return new Proxy(client, {
    get(target, name) {
      const own = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}
