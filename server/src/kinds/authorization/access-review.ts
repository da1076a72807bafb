import type { AuthorizationDecision, Authorizer } from "@gatehouse/apiserver/authorization";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { RequestContext, RequestInfo, UserInfo } from "@gatehouse/apiserver/request";
import { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import type { AnsweredKind } from "@gatehouse/apiserver/verbs";
import { goLiteral, goObjectMeta, goQuote, isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { badRequest, invalid } from "@gatehouse/envelopes/status";

/** The rules of a kind of access review. */
export interface AccessReviewOptions {
  /** The user that the review is about: the one of the request, or the one named in its spec. */
  readonly about: "self" | "named";
  /** Set if the review is about the namespace of the path only. */
  readonly local?: boolean;
}

/** Returns the handler that asks the authorizer for the access in a review (authorization/v1). */
export function accessReview({ about, local = false }: AccessReviewOptions, authorizer: Authorizer): AnsweredKind {
  return {
    check(review, { info }) {
      const errors = new FieldErrors();
      validateSpec(review, errors, about);
      validateMetadata(review, errors, local);
      if (local) {
        validateLocal(review, errors);
      }
      if (errors.list.length > 0) {
        // v1.29 reads the kind from a member that is empty by then.
        throw invalid({ group: "authorization.k8s.io", kind: "" }, "", errors.list);
      }
      if (local && (metaOf(review).namespace ?? "") !== info.namespace) {
        throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${info.namespace}`);
      }
    },
    async answer(review, context) {
      const user = about === "self" ? context.user : namedUser(review);
      const answer = await authorizer.authorize({ user, info: askedAccess(review, context) });
      return { ...review, status: statusOf(answer) };
    },
  };
}

function statusOf({ decision, reason, error }: AuthorizationDecision): JsonObject {
  return {
    allowed: decision === "allow",
    ...(decision === "deny" ? { denied: true } : {}),
    ...(reason === "" ? {} : { reason }),
    ...(error === undefined ? {} : { evaluationError: error.message }),
  };
}

function namedUser(review: JsonObject): UserInfo {
  const spec = objectAt(review, "spec");
  const extra = Object.entries(objectAt(spec, "extra")).map(([key, values]) => [key, textsAt(values)] as const);
  return {
    username: textAt(spec, "user"),
    groups: textsAt(spec, "groups"),
    ...(textAt(spec, "uid") === "" ? {} : { uid: textAt(spec, "uid") }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function askedAccess(review: JsonObject, { info }: RequestContext): RequestInfo {
  const isResourceRequest = isSet(review, "spec", "resourceAttributes");
  const asked = objectAt(review, "spec", isResourceRequest ? "resourceAttributes" : "nonResourceAttributes");
  const version = textAt(asked, "version");
  return {
    ...info,
    isResourceRequest,
    apiPrefix: "",
    parts: [],
    rest: "",
    verb: textAt(asked, "verb"),
    path: textAt(asked, "path"),
    group: textAt(asked, "group"),
    version: isResourceRequest && version === "" ? "*" : version,
    resource: textAt(asked, "resource"),
    subresource: textAt(asked, "subresource"),
    namespace: textAt(asked, "namespace"),
    name: textAt(asked, "name"),
  };
}

const spec = FieldPath.of("spec");

function validateSpec(review: JsonObject, errors: FieldErrors, about: AccessReviewOptions["about"]): void {
  const asksResource = isSet(review, "spec", "resourceAttributes");
  const asksPath = isSet(review, "spec", "nonResourceAttributes");
  if (asksResource && asksPath) {
    const detail = "cannot be specified in combination with resourceAttributes";
    errors.invalidShown(spec.child("nonResourceAttributes"), shownPathAttributes(review), detail);
  }
  if (!asksResource && !asksPath) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.invalid(spec.child("resourceAttributes"), "null", detail);
  }
  if (about === "named" && textAt(review, "spec", "user") === "" && listAt(review, "spec", "groups").length === 0) {
    errors.invalid(spec.child("user"), "", "at least one of user or group must be specified");
  }
}

function validateMetadata(review: JsonObject, errors: FieldErrors, local: boolean): void {
  const metadata = objectAt(review, "metadata");
  const { managedFields: _, namespace, ...others } = metadata;
  const demanded = local ? others : { ...others, namespace: namespace ?? null };
  if (Object.values(demanded).some((value) => !isZero(value))) {
    const detail = local ? "must be empty except for namespace" : "must be empty";
    errors.invalidShown(FieldPath.of("metadata"), goObjectMeta(metadata), detail);
  }
}

/** Reports whether a member of metadata has Go's zero value. */
function isZero(value: JsonValue | undefined): boolean {
  return value === null || value === "" || value === 0 || isSameState(value, null);
}

function validateLocal(review: JsonObject, errors: FieldErrors): void {
  const namespace = textAt(review, "spec", "resourceAttributes", "namespace");
  if (isSet(review, "spec", "resourceAttributes") && namespace !== metaOf(review).namespace) {
    errors.invalid(spec.child("resourceAttributes").child("namespace"), namespace, "must match metadata.namespace");
  }
  if (isSet(review, "spec", "nonResourceAttributes")) {
    const path = spec.child("nonResourceAttributes");
    errors.invalidShown(path, shownPathAttributes(review), "disallowed on this kind of request");
  }
}

function shownPathAttributes(review: JsonObject): string {
  const asked = objectAt(review, "spec", "nonResourceAttributes");
  const members = { Path: goQuote(textAt(asked, "path")), Verb: goQuote(textAt(asked, "verb")) };
  return goLiteral("authorization.NonResourceAttributes", members);
}
