import type { StoredValuesOptions } from "@gatehouse/apiserver/server";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { ServerConfig } from "../options/server-config.js";

/** Records that kube-apiserver keeps beside the resources: the ranges of services, and the servers that are alive. */
const records = [
  { prefix: "ranges", group: "", version: "v1", kind: "RangeAllocation" },
  { prefix: "masterleases", group: "", version: "v1", kind: "Endpoints" },
];

/**
 * Returns the serialization of the values in the store. The default depends on the store: protobuf where kube-apiserver may
 * share it, JSON in the embedded store.
 */
export function storedValues(
  { storageMediaType }: Pick<ServerConfig, "storageMediaType">,
  isShared = false,
): StoredValuesOptions {
  const mediaType = storageMediaType ?? (isShared ? mediaTypes.protobuf : mediaTypes.json);
  return { mediaType, isShared, records };
}
