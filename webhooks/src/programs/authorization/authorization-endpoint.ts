import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import type { authorizationV1, authorizationV1beta1 } from "@gatehouse/envelopes/types";
import type { AccessUser, RequestedAccess } from "@gatehouse/policies/access";
import type { AccessVerdict } from "@gatehouse/policies/authorization-rules";
import { openSpecReader, type ReviewQuestion } from "../../toolkit/review/spec-reader.js";
import type { ReviewEndpoint } from "../../toolkit/server/review-endpoint.js";
import type { AuthorizationRuleSet } from "./reloading-authorization-rules.js";

const group = "authorization.k8s.io";

/** Options of the endpoint. */
export interface AuthorizationOptions {
  /** Returns the rules that are in force. */
  readonly rules: () => AuthorizationRuleSet;
  /** Path that reviews are posted to. Default `/authorize`. */
  readonly path?: string;
}

/** Returns the endpoint that answers SubjectAccessReviews (v1, v1beta1). The reason names the rule that has decided. */
export async function authorizationEndpoint({
  rules,
  path = "/authorize",
}: AuthorizationOptions): Promise<ReviewEndpoint> {
  const reader = await openSpecReader(group, ["v1", "v1beta1"], "SubjectAccessReview");
  return {
    path,
    name: "authorization",
    answer(review) {
      const question = reader.read(review);
      const { user, access } = requestOf(question);
      const verdict = rules().rules.decide(user, access);
      return { body: answerOf(question.apiVersion, verdict), outcome: verdict.decision };
    },
  };
}

/** The spec of both versions, which differ in the name of one member. */
type Spec = authorizationV1.SubjectAccessReviewSpec & Pick<authorizationV1beta1.SubjectAccessReviewSpec, "group">;

interface AccessQuestion {
  readonly user: AccessUser;
  readonly access: RequestedAccess;
}

function requestOf({ apiVersion, spec }: ReviewQuestion): AccessQuestion {
  const { user = "", resourceAttributes, nonResourceAttributes, groups, group: oldGroups } = spec as Spec;
  const named = (apiVersion === `${group}/v1` ? groups : oldGroups) ?? [];
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    throw badRequest(
      "SubjectAccessReview: spec: must have exactly one of resourceAttributes and nonResourceAttributes",
    );
  }
  if (user === "" && named.length === 0) {
    throw badRequest("SubjectAccessReview: spec: must have a user or groups");
  }
  return {
    user: { username: user, groups: named },
    access: resourceAttributes === undefined ? pathAccess(nonResourceAttributes) : resourceAccess(resourceAttributes),
  };
}

function resourceAccess(attributes: authorizationV1.ResourceAttributes): RequestedAccess {
  return {
    isResourceRequest: true,
    verb: attributes.verb ?? "",
    group: attributes.group ?? "",
    resource: attributes.resource ?? "",
    subresource: attributes.subresource ?? "",
    namespace: attributes.namespace ?? "",
    name: attributes.name ?? "",
    path: "",
  };
}

function pathAccess({ verb = "", path = "" }: authorizationV1.NonResourceAttributes = {}): RequestedAccess {
  const none = { group: "", resource: "", subresource: "", namespace: "", name: "" };
  return { isResourceRequest: false, verb, path, ...none };
}

function answerOf(apiVersion: string, { decision, reason }: AccessVerdict): JsonObject {
  return {
    apiVersion,
    kind: "SubjectAccessReview",
    status: {
      allowed: decision === "allowed",
      ...(decision === "denied" ? { denied: true } : {}),
      ...(reason === "" ? {} : { reason }),
    },
  };
}
