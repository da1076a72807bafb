import { timestamp } from "../../objects/object-meta.js";
import type { AnsweredKind } from "../../verbs/writing/answered-kind.js";
import { type ResourceRow, virtualResource } from "../define-resource.js";
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
