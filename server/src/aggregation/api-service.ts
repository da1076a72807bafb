import { isConditionTrue } from "@gatehouse/apiserver/objects";
import { booleanAt, integerAt, isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** An APIService, as far as routing and discovery look at it. */
export interface ApiService {
  /** The name of the object: `v1.apps`, and `v1.` for the core group. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** Groups with a higher number come first in discovery. */
  readonly groupPriorityMinimum: number;
  /** Versions of a group with a higher number come first. */
  readonly versionPriority: number;
  /** The service of the server behind it; undefined for group versions of this server. */
  readonly service: ServiceReference | undefined;
  /** The authorities of the server behind it, as PEM; empty for those of this machine. */
  readonly caBundle: string;
  readonly insecureSkipTlsVerify: boolean;
  /** True if the condition `Available` is true. */
  readonly isAvailable: boolean;
}

/** An APIService with a server behind it. */
export interface RemoteApiService extends ApiService {
  readonly service: ServiceReference;
}

/** The service and port of a server. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The port of a service that states none, as defaults have it. */
const defaultPort = 443;

/** Reads an APIService as it is stored. */
export function readApiService(object: JsonObject): ApiService {
  return {
    name: textAt(object, "metadata", "name"),
    group: textAt(object, "spec", "group"),
    version: textAt(object, "spec", "version"),
    groupPriorityMinimum: Number(integerAt(object, "spec", "groupPriorityMinimum")),
    versionPriority: Number(integerAt(object, "spec", "versionPriority")),
    service: isSet(object, "spec", "service")
      ? {
          namespace: textAt(object, "spec", "service", "namespace"),
          name: textAt(object, "spec", "service", "name"),
          port: Number(integerAt(object, "spec", "service", "port")) || defaultPort,
        }
      : undefined,
    caBundle: Buffer.from(textAt(object, "spec", "caBundle"), "base64").toString("latin1"),
    insecureSkipTlsVerify: booleanAt(object, "spec", "insecureSkipTLSVerify"),
    isAvailable: isConditionTrue(object, "Available"),
  };
}

/** Reports whether another server answers for an APIService. */
export function isRemote(apiService: ApiService): apiService is RemoteApiService {
  return apiService.service !== undefined;
}

const serverKeys = new WeakMap<RemoteApiService, string>();

/** Returns a key that is the same for APIServices of one server that is trusted in the same way. */
export function serverKey(apiService: RemoteApiService): string {
  let key = serverKeys.get(apiService);
  if (key === undefined) {
    const { service, caBundle, insecureSkipTlsVerify } = apiService;
    key = JSON.stringify([service.namespace, service.name, service.port, caBundle, insecureSkipTlsVerify]);
    serverKeys.set(apiService, key);
  }
  return key;
}

/** Returns the path below which requests belong to an APIService: `/apis/apps/v1`, and `/api` for the core group. */
export function rootPathOf({ name, group, version }: ApiService): string {
  return name === "v1." ? "/api" : `/apis/${group}/${version}`;
}
