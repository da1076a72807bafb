import { encodeJson, parseJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { omitManagedFields } from "@gatehouse/policies/audit";
import type { RequestInfo } from "../request/request-info.js";

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Returns JSON on one line, so that events can be lines. A line end in JSON is never part of a text, nor is the
 * indentation behind it.
 */
export function onOneLine(json: Buffer): Buffer {
  const last = json.length - 1;
  const bare = json[last] === lineFeed ? json.subarray(0, last) : json;
  if (!bare.includes(lineFeed) && !bare.includes(carriageReturn)) {
    return bare;
  }
  const line = Buffer.allocUnsafe(bare.length);
  let length = 0;
  let isIndentation = false;
  for (const byte of bare) {
    const isLineEnd = byte === lineFeed || byte === carriageReturn;
    isIndentation = isLineEnd || (isIndentation && (byte === 32 || byte === 9));
    if (!isIndentation) {
      line[length++] = byte;
    }
  }
  return line.subarray(0, length);
}

/** Returns the document without the managedFields of its objects. */
export function withoutManagedFields(json: Buffer): Buffer {
  return revised(json, omitManagedFields);
}

/** Removes the token from a body that may hold a valid one: tokens are never recorded, unlike in v1.29. */
export function withoutTokens(json: Buffer, info: Pick<RequestInfo, "group" | "resource" | "subresource">): Buffer {
  if (info.group === "" && info.resource === "serviceaccounts" && info.subresource === "token") {
    return revised(json, (object) => without(object, "status", "token"));
  }
  if (info.group === "authentication.k8s.io" && info.resource === "tokenreviews") {
    return revised(json, (object) => without(object, "spec", "token"));
  }
  return json;
}

function without(object: JsonObject, part: "spec" | "status", member: "token"): JsonObject {
  const found = object[part];
  if (!isJsonObject(found) || found[member] === undefined) {
    return object;
  }
  const { [member]: _withheld, ...rest } = found;
  return { ...object, [part]: rest };
}

function revised(json: Buffer, revise: (object: JsonObject) => JsonObject): Buffer {
  const { value } = parseJson(json.toString());
  if (!isJsonObject(value)) {
    return json;
  }
  const next = revise(value);
  return next === value ? json : Buffer.from(encodeJson(next));
}
