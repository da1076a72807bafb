import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import { keepClientMetadata } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";

const otherMetadata = ["generateName", "deletionTimestamp", "deletionGracePeriodSeconds"];

/** Restores all metadata that a client could have changed: the preparation of /status of both kinds of flow control. */
export function keepAllMetadata(object: JsonObject, old: JsonObject): void {
  keepClientMetadata(object, old);
  copyMembers(metaOf(old), metaOf(object), otherMetadata);
}
