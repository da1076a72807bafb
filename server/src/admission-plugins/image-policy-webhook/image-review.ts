import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { decodeReview, encodeReview } from "@gatehouse/apiserver/review-webhooks";
import { booleanAt, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** The answer of the webhook about the images of a pod. */
export interface ImageVerdict {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

const kind = { group: "imagepolicy.k8s.io", version: "v1alpha1", kind: "ImageReview" } as const;

/** Returns the `spec` of the review of a pod: its containers, or the ephemeral ones that are added to it. */
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

/** Returns the review as JSON. */
export function encodeImageReview(spec: JsonObject): string {
  return encodeReview(kind, spec, { allowed: false });
}

/** Reads an answer with a status of success. What it does not say counts as not allowed. Rejects with ReviewAnswerError. */
export async function readVerdict(body: Buffer): Promise<ImageVerdict> {
  const review = await decodeReview(kind, body);
  const status = objectAt(review, "status");
  const annotations = Object.entries(objectAt(status, "auditAnnotations"));
  return {
    isAllowed: booleanAt(status, "allowed"),
    reason: textAt(status, "reason"),
    auditAnnotations: new Map(annotations.map(([key, value]) => [key, String(value)])),
  };
}
