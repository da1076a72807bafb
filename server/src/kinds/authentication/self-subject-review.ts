import { timestamp } from "@gatehouse/apiserver/objects";
import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";
import type { AnsweredKind } from "@gatehouse/apiserver/verbs";
import { userInfoObject } from "./user-info-object.js";

/** The definition of SelfSubjectReview, which answers with the user of the request. */
export const selfSubjectReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
};

/**
 * Returns the handler that answers with the user and the time of the request, whatever was posted. `now` returns
 * milliseconds since the epoch.
 */
export function selfSubjectReview(now: () => number): AnsweredKind {
  return {
    answer: (_question, { user }) => ({
      metadata: { creationTimestamp: timestamp(now()) },
      status: { userInfo: userInfoObject(user) },
    }),
  };
}
