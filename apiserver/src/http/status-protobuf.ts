import { encodeProtobuf, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { Status } from "@gatehouse/envelopes/status";

/** Encodes a Status in the protobuf envelope, for clients that speak protobuf. */
export function encodeEnvelopedStatus(status: Status): Buffer {
  const schema = messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.Status");
  if (schema === undefined) {
    throw new Error("no schema for Status");
  }
  return wrapUnknown("v1", "Status", encodeProtobuf(schema, status as unknown as JsonObject));
}
