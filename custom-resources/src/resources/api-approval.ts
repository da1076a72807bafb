import { goQuote } from "@gatehouse/envelopes/go";
import { approvalAnnotation } from "./definition-summary.js";

/** The approval of an API, as the annotation of its definition states it. */
export type ApprovalState = "invalid" | "missing" | "approved" | "bypassed";

/** Reports whether a group belongs to the Kubernetes community, whose APIs are reviewed. */
export function isCommunityGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

const see = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Reads the annotation: a URL where the API was approved, or why it was not. */
export function apiApproval(annotation: string): { readonly state: ApprovalState; readonly reason: string } {
  const demand = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;
  if (annotation === "") {
    return { state: "missing", reason: `${demand}, ${see}` };
  }
  if (annotation.startsWith("unapproved")) {
    return { state: "bypassed", reason: `not approved: ${goQuote(annotation)}` };
  }
  return isUrlWithHost(annotation)
    ? { state: "approved", reason: `approved in ${annotation}` }
    : { state: "invalid", reason: `${demand} with either a URL or a reason starting with "unapproved", ${see}` };
}

/** Reports whether Go's parser of request URIs finds a scheme and a host in a text. */
function isUrlWithHost(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s@]/.test(text) && URL.canParse(text);
}
