import { timestamp } from "../../objects/object-meta.js";
import type { AnsweredKind } from "../../verbs/writing/answered-kind.js";
import { type ResourceRow, virtualResource } from "../define-resource.js";
import { userInfoObject } from "./user-info-object.js";

/** The definition of SelfSubjectReview, which answers with the user of the request. */
export const selfSubjectReviewRow: ResourceRow = {
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
