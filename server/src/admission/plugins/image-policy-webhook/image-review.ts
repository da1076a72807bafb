import {
  DecodeError,
  decodeJson,
  encodeJson,
  isJsonObject,
  type JsonObject,
  kindSchema,
  type ObjectSchema,
  parseJson,
} from "@gatehouse/envelopes";
import { booleanAt, listAt, objectAt, textAt } from "../../../objects/json-fields.js";
import type { AdmissionAttributes } from "../../attributes.js";

/** What the webhook has said of the images of a pod. */
export interface ImageVerdict {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

/** An answer that cannot be read, in v1.29's words. */
export class ReviewAnswerError extends Error {
  override readonly name = "ReviewAnswerError";
}

const apiVersion = "imagepolicy.k8s.io/v1alpha1";

/** What the webhook is asked about a pod: its containers, or those that are added to it while it runs. */
export function reviewSpec({ object, subresource, namespace }: AdmissionAttributes): JsonObject {
  const lists = subresource === "" ? ["containers", "initContainers"] : ["ephemeralContainers"];
  const containers = lists.flatMap((list) =>
    listAt(object, "spec", list).map((container) => {
      const image = textAt(container, "image");
      return image === "" ? {} : { image };
    }),
  );
  const annotations = Object.entries(objectAt(object, "metadata", "annotations"))
    .filter(([key]) => key.includes(".image-policy.k8s.io/"))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(containers.length === 0 ? {} : { containers }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    ...(namespace === "" ? {} : { namespace }),
  };
}

/** The review that is sent, byte for byte as v1.29 does. */
export function encodeReview(spec: JsonObject): string {
  const review = {
    kind: "ImageReview",
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: { allowed: false },
  };
  return `${encodeJson(review)}\n`;
}

/** Reads an answer with a status of success. What it does not say counts as not allowed. Throws ReviewAnswerError. */
export function readVerdict(body: Buffer): ImageVerdict {
  const review = decode(body);
  const status = objectAt(review, "status");
  const annotations = Object.entries(objectAt(status, "auditAnnotations"));
  return {
    isAllowed: booleanAt(status, "allowed"),
    reason: textAt(status, "reason"),
    auditAnnotations: new Map(annotations.map(([key, value]) => [key, String(value)])),
  };
}

function decode(body: Buffer): JsonObject {
  const value = parse(body);
  const [version, kind] = [textAt(value, "apiVersion"), textAt(value, "kind")];
  // An answer that says neither is taken for what was asked for.
  if ((version !== "" && version !== apiVersion) || (kind !== "" && kind !== "ImageReview")) {
    throw new ReviewAnswerError(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:100"`,
    );
  }
  try {
    return decodeJson(kindSchema("imagepolicy.k8s.io", "v1alpha1", "ImageReview")?.schema as ObjectSchema, value)
      .object;
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
