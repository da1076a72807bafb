import { decodeJson, encodeJson, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { apiVersionOf, type GroupVersionKind, kindSchema, type ObjectSchema } from "@gatehouse/envelopes/schema";
import { ReviewAnswerError } from "../errors/errors.js";

/** Encodes a review, byte for byte as v1.29 does; `status` is its status before there is an answer. */
export function encodeReview(kind: GroupVersionKind, spec: JsonObject, status: JsonObject): string {
  const metadata = { creationTimestamp: null };
  return `${encodeJson({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, spec, status })}\n`;
}

/** Decodes the answered review. Throws ReviewAnswerError. */
export function decodeReview(kind: GroupVersionKind, body: Buffer): JsonObject {
  const value = parse(body);
  const [version, name] = [textAt(value, "apiVersion"), textAt(value, "kind")];
  // An answer that says neither is taken for what was asked for.
  if ((version !== "" && version !== apiVersionOf(kind)) || (name !== "" && name !== kind.kind)) {
    throw new ReviewAnswerError(
      `no kind ${goQuote(name)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:100"`,
    );
  }
  try {
    return decodeJson(kindSchema(kind.group, kind.version, kind.kind)?.schema as ObjectSchema, value).object;
  } catch (error) {
    throw error instanceof DecodeError ? new ReviewAnswerError(error.message, { cause: error }) : error;
  }
}

function parse(body: Buffer): JsonObject {
  const problem = "couldn't get version/kind; json parse error: ";
  const text = body.toString();
  try {
    // What is no JSON is YAML to v1.29, and a page in HTML one long string.
    const value = /^\s*[[{]/.test(text) ? parseJson(text).value : text;
    if (isJsonObject(value)) {
      return value;
    }
    const type = Array.isArray(value) ? "array" : "string";
    throw new ReviewAnswerError(
      `${problem}json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  } catch (error) {
    throw error instanceof DecodeError ? new ReviewAnswerError(`${problem}${error.message}`, { cause: error }) : error;
  }
}
