import { type DocumentValidator, documentValidator } from "@gatehouse/component-base/config-documents";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import type { AdmissionDecision } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import { validateReview } from "./validate-review.js";

/** Supported versions of AdmissionReview, the preferred one first. */
export const admissionReviewVersions = ["v1", "v1beta1"] as const;

const group = "admission.k8s.io";

/** A reader of AdmissionReviews. */
export interface AdmissionReviewReader {
  /**
   * Returns the request of a review. Throws StatusError (400), which lists with paths everything that is wrong with it.
   */
  read(review: JsonObject): AdmissionRequest;
}

/**
 * Compiles the validators of reviews of some versions, or of all. Unknown members are accepted: API servers may be
 * newer.
 */
export async function openAdmissionReviewReader(
  versions: readonly (typeof admissionReviewVersions)[number][] = admissionReviewVersions,
): Promise<AdmissionReviewReader> {
  const validators = new Map<JsonValue | undefined, DocumentValidator>();
  for (const version of versions) {
    const kind = kindSchema(group, version, "AdmissionReview");
    if (kind === undefined) {
      throw new RangeError(`the IDL has no AdmissionReview ${version}`);
    }
    validators.set(`${group}/${version}`, await documentValidator(kind, { unknownMembers: "allowed" }));
  }
  return {
    read(review) {
      const validate = validators.get(review["apiVersion"]);
      if (validate === undefined || review["kind"] !== "AdmissionReview") {
        throw badRequest(
          `${JSON.stringify(review["kind"] ?? null)} of ${JSON.stringify(review["apiVersion"] ?? null)} is no AdmissionReview of ${group}/v1 or v1beta1`,
        );
      }
      const { apiVersion, kind, request = null } = review;
      // Other members, such as a response, are not used and not validated.
      validateReview("AdmissionReview", validate, { apiVersion, kind, request } as JsonObject, {
        request: withoutObjects(request),
      });
      return requestOf(review["request"]);
    },
  };
}

/** Returns the request without its objects and options; the rest is small: names, and a user with some groups. */
function withoutObjects(request: JsonValue): JsonValue {
  return isJsonObject(request) ? { ...request, object: null, oldObject: null, options: null } : request;
}

function requestOf(wire: JsonValue | undefined): AdmissionRequest {
  if (!isJsonObject(wire)) {
    throw badRequest("AdmissionReview: request: is required");
  }
  const { operation, kind, resource } = wire;
  const object = wire["object"] ?? undefined;
  const oldObject = wire["oldObject"] ?? undefined;
  validateObjects(operation, object, oldObject);
  // The validator has checked these types.
  return {
    uid: wire["uid"],
    kind,
    resource,
    subResource: wire["subResource"] ?? "",
    requestKind: wire["requestKind"] ?? kind,
    requestResource: wire["requestResource"] ?? resource,
    requestSubResource: wire["requestSubResource"] ?? wire["subResource"] ?? "",
    name: wire["name"] ?? "",
    namespace: wire["namespace"] ?? "",
    operation,
    userInfo: wire["userInfo"],
    object,
    oldObject,
    dryRun: wire["dryRun"] === true,
    options: wire["options"] ?? undefined,
  } as unknown as AdmissionRequest;
}

/** Throws StatusError (400) unless a review has the objects that its operation implies, on which handlers rely. */
function validateObjects(operation: JsonValue | undefined, object: unknown, oldObject: unknown): void {
  switch (operation) {
    case "CREATE":
    case "CONNECT":
      if (object !== undefined) {
        return;
      }
      throw badRequest(`AdmissionReview: request.object: is required for ${operation}`);
    case "UPDATE":
      if (object !== undefined && oldObject !== undefined) {
        return;
      }
      throw badRequest("AdmissionReview: request.object and request.oldObject: are required for UPDATE");
    case "DELETE":
      if (oldObject !== undefined) {
        return;
      }
      throw badRequest("AdmissionReview: request.oldObject: is required for DELETE");
    default:
      throw badRequest("AdmissionReview: request.operation: must be one of CREATE, UPDATE, DELETE, CONNECT");
  }
}

/** Returns the answer to a review: in its version, with the uid of the request and the decision. */
export function answerAdmissionReview(review: JsonObject, uid: string, decision: AdmissionDecision): JsonObject {
  const { warnings, auditAnnotations } = decision;
  const response: JsonObject = { uid, allowed: decision.allowed };
  if (!decision.allowed) {
    response["status"] = decision.status as unknown as JsonObject;
  } else if (decision.patch.length > 0) {
    response["patchType"] = "JSONPatch";
    response["patch"] = Buffer.from(encodeJson(decision.patch as unknown as JsonObject[])).toString("base64");
  }
  if (warnings.length > 0) {
    response["warnings"] = [...warnings];
  }
  if (Object.keys(auditAnnotations).length > 0) {
    response["auditAnnotations"] = { ...auditAnnotations };
  }
  return { kind: "AdmissionReview", apiVersion: review["apiVersion"], response };
}
