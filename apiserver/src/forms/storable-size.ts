import { encodeProtobuf } from "@gatehouse/envelopes/codec";
import { TooManyDefaultsError } from "@gatehouse/envelopes/errors";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { StatusError } from "@gatehouse/envelopes/status";

/** Largest request that the store of v1.29 accepts, in bytes: etcd's own limit. */
const maxRequestBytes = 1.5 * 1024 * 1024;

/** Bytes of a request to etcd beside the object and its key, which it names three times. */
const requestOverheadBytes = 64;

function bytesFor(key: string): number {
  return maxRequestBytes - 3 * Buffer.byteLength(key) - requestOverheadBytes;
}

/**
 * Reports whether the JSON of an object is so long that its size must be checked, which takes as long as to encode it.
 */
export function mayBeTooLarge(key: string, value: Buffer): boolean {
  return value.length > bytesFor(key);
}

/**
 * Reports whether v1.29 could not store an object. Built-in kinds are stored there as protobuf, which is shorter than the
 * JSON that is stored here: what fits there must fit here, too, and so the shorter form is made of a large object only to
 * see how long it is.
 */
export function isTooLarge(key: string, object: JsonObject, value: Buffer): boolean {
  const { group, version } = groupVersionOf(textAt(object, "apiVersion"));
  const builtin = kindSchema(group, version, String(object["kind"]));
  const bytes = builtin === undefined ? value.length : encodeProtobuf(builtin.schema, object).length;
  return bytes > bytesFor(key);
}

/** Fills defaults into an object that is written; throws 413 when it becomes larger than any that can be stored. */
export function fillToStorableSize<T>(fill: () => T): T {
  try {
    return fill();
  } catch (error) {
    throw error instanceof TooManyDefaultsError ? requestTooLarge(error) : error;
  }
}

/** Makes the 413 error for an object that is larger than any that can be stored. v1.29 answers 500 (decisions/0008). */
export function requestTooLarge(cause?: unknown): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", "etcdserver: request is too large", undefined, { cause });
}
