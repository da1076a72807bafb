import type { StoredValuesOptions } from "@gatehouse/apiserver/server";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { ServerConfig } from "../options/server-config.js";

/** Records that kube-apiserver keeps beside the resources: the ranges of services, the servers that are alive, and their addresses. */
export const recordsBesideResources = [
  { prefix: "ranges", group: "", version: "v1", kind: "RangeAllocation" },
  { prefix: "masterleases", group: "", version: "v1", kind: "Endpoints" },
  { prefix: "peerserverleases", group: "", version: "v1", kind: "Endpoints" },
];

/** Returns the serialization of the values in the store: etcd may be shared with kube-apiserver, the embedded store is not. */
export function storedValues({
  storageMediaType,
  etcd,
  serviceRanges,
}: Pick<ServerConfig, "storageMediaType" | "etcd" | "serviceRanges">): StoredValuesOptions {
  const isShared = etcd !== undefined;
  return {
    mediaType: storageMediaType ?? (isShared ? mediaTypes.protobuf : mediaTypes.json),
    isShared,
    primaryFamily: serviceRanges[0].family,
    records: recordsBesideResources,
  };
}
