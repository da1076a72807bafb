import { connect } from "node:net";
import type { ObjectAccess } from "@gatehouse/apiserver/admission";
import type { ServiceAddresses } from "@gatehouse/apiserver/review-webhooks";
import type { DialAddress } from "@gatehouse/component-base/http-client";
import {
  booleanAt,
  integerAt,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  textsAt,
} from "@gatehouse/envelopes/json";
import { andThen, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import { addressOfService } from "./address-of-service.js";

/** The address of this server. */
export interface OwnAddress {
  readonly host: string;
  readonly port: () => number;
}

/**
 * Milliseconds for a cluster address to accept a connection before the endpoints behind it are tried, and milliseconds
 * for which the result is kept.
 */
const probeMs = 300;
const probeLifetimeMs = 10_000;

/**
 * Returns the resolver of the services of webhooks and other API servers: to the cluster address, as in v1.29; where
 * nothing answers there, because no kube-proxy runs on this machine, to the ready endpoints. With `routesToEndpoints`
 * only endpoints count. `default/kubernetes:443` is this server.
 */
export function serviceAddresses(
  objects: Pick<ObjectAccess, "view">,
  own: OwnAddress,
  { routesToEndpoints }: { readonly routesToEndpoints: boolean },
): ServiceAddresses {
  const same = (object: JsonObject): JsonObject => object;
  const services = objects.view({ group: "", resource: "services" }, same);
  const slices = objects.view({ group: "discovery.k8s.io", resource: "endpointslices" }, same);
  const endpoints = objects.view({ group: "", resource: "endpoints" }, same);
  const probes = new Probes();
  const known = new Map<string, KnownPort>();
  /** Returns what objects say of a port, read anew only when one of them has changed: each request that is passed on asks. */
  const portOf = (namespace: string, name: string, port: number): KnownPort => {
    const key = `${namespace}/${name}:${port}`;
    const seen = {
      service: services.get(namespace, name),
      slices: slices.list(namespace),
      endpoints: endpoints.get(namespace, name),
    };
    const last = known.get(key);
    if (last !== undefined && isSame(last.seen, seen)) {
      return last;
    }
    const address = addressOfService(seen.service, name, port);
    const found = {
      seen,
      address,
      itself: "problem" in address ? [] : [address],
      behind: addressesBehind(seen, name, port),
    };
    if (known.size >= maxKnown) {
      known.clear();
    }
    known.set(key, found);
    return found;
  };
  return (namespace, name, port) => {
    if (namespace === "default" && name === "kubernetes" && port === 443) {
      return [{ host: own.host === "0.0.0.0" ? "127.0.0.1" : own.host, port: own.port() }];
    }
    const { seen, address, itself, behind } = portOf(namespace, name, port);
    if ("problem" in address && !(routesToEndpoints && isHeadless(seen))) {
      throw new Error(address.problem);
    }
    if (routesToEndpoints || "problem" in address) {
      return endpointsOf(seen.service, name, behind);
    }
    const ways = (answers: boolean): readonly DialAddress[] => (answers ? itself : behind);
    return behind.length === 0 ? itself : andThen(probes.answers(address), ways);
  };
}

/** Ports of services that are known at a time. */
const maxKnown = 1000;

/** A service, the slices of its namespace, and its Endpoints: each another object when it has changed. */
interface SeenService {
  readonly service: JsonObject | undefined;
  readonly slices: readonly JsonObject[];
  readonly endpoints: JsonObject | undefined;
}

/** A port of a service as objects describe it. */
interface KnownPort {
  readonly seen: SeenService;
  readonly address: ReturnType<typeof addressOfService>;
  /** The cluster address alone; none where the service has none. */
  readonly itself: readonly DialAddress[];
  /** The addresses of ready endpoints. */
  readonly behind: readonly DialAddress[];
}

function isHeadless({ service }: SeenService): boolean {
  return textAt(service, "spec", "clusterIP") === "None";
}

function isSame(one: SeenService, other: SeenService): boolean {
  return one.service === other.service && one.slices === other.slices && one.endpoints === other.endpoints;
}

function addressesBehind(
  { service, slices, endpoints }: SeenService,
  name: string,
  port: number,
): readonly DialAddress[] {
  const portName = textAt(
    listAt(service, "spec", "ports").find((item) => Number(integerAt(item, "port")) === port),
    "name",
  );
  const ofSlices = slices
    .filter((slice) => textAt(slice, "metadata", "labels", "kubernetes.io/service-name") === name)
    .flatMap((slice) => addressesOfSlice(slice, portName));
  return ofSlices.length > 0 ? ofSlices : addressesOfEndpoints(endpoints, portName);
}

/** Returns the endpoints of a service, beginning with any of them. Throws with v1.29's words where there are none. */
function endpointsOf(
  service: JsonObject | undefined,
  name: string,
  endpoints: readonly DialAddress[],
): readonly DialAddress[] {
  const type = textAt(service, "spec", "type");
  if (type === "ExternalName") {
    throw new Error(`unsupported service type ${JSON.stringify(type)}`);
  }
  if (endpoints.length === 0) {
    throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  }
  const first = Math.floor(Math.random() * endpoints.length);
  return [...endpoints.slice(first), ...endpoints.slice(0, first)];
}

/** The addresses that were tried lately, with the results. */
class Probes {
  readonly #known = new Map<string, { answers: MaybePromise<boolean>; readonly expiresAt: number }>();

  answers(address: DialAddress): MaybePromise<boolean> {
    const key = `${address.host}:${address.port}`;
    const now = performance.now();
    const known = this.#known.get(key);
    if (known !== undefined && known.expiresAt > now) {
      return known.answers;
    }
    for (const [other, { expiresAt }] of this.#known) {
      if (expiresAt <= now) {
        this.#known.delete(other);
      }
    }
    const probed: { answers: MaybePromise<boolean>; readonly expiresAt: number } = {
      answers: probe(address).then((answers) => {
        probed.answers = answers;
        return answers;
      }),
      expiresAt: now + probeLifetimeMs,
    };
    this.#known.set(key, probed);
    return probed.answers;
  }
}

function probe({ host, port }: DialAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: probeMs });
    const end = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

function addressesOfSlice(slice: JsonObject, portName: string): DialAddress[] {
  const port = numberOfPort(listAt(slice, "ports"), portName);
  return port === undefined
    ? []
    : listAt(slice, "endpoints")
        .filter(isReady)
        .flatMap((endpoint) => textsAt(endpoint, "addresses").slice(0, 1))
        .map((host) => ({ host, port }));
}

/** Reports whether an endpoint is ready; one without the condition is. */
function isReady(endpoint: JsonValue): boolean {
  const conditions = objectAt(endpoint, "conditions");
  return !isSet(conditions, "ready") || booleanAt(conditions, "ready");
}

function addressesOfEndpoints(endpoints: JsonObject | undefined, portName: string): DialAddress[] {
  return listAt(endpoints, "subsets").flatMap((subset) => {
    const port = numberOfPort(listAt(subset, "ports"), portName);
    return port === undefined
      ? []
      : listAt(subset, "addresses").map((address) => ({ host: textAt(address, "ip"), port }));
  });
}

function numberOfPort(ports: JsonArray, name: string): number | undefined {
  const port = ports.find((item) => textAt(item, "name") === name);
  return port === undefined ? undefined : Number(integerAt(port, "port"));
}
