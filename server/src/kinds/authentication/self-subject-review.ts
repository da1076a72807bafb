import { timestamp } from "@gatehouse/apiserver/objects";
import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";
import type { AnsweredKind } from "@gatehouse/apiserver/verbs";
import { userInfoObject } from "./user-info-object.js";

/** Tells who asks. */
export const selfSubjectReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
};

/** Whatever was posted, the answer is new: it says who the user is, and when that was asked. */
export function selfSubjectReview(now: () => number): AnsweredKind {
  return {
    answer: (_question, { user }) => ({
      metadata: { creationTimestamp: timestamp(now()) },
      status: { userInfo: userInfoObject(user) },
    }),
  };
}
