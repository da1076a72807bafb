import type { GroupResource } from "@gatehouse/envelopes";

/** What quotas never count: what is not stored, and events. By group. */
const ignored: Readonly<Record<string, readonly string[]>> = {
  "": ["bindings", "componentstatuses", "events"],
  "authentication.k8s.io": ["tokenreviews", "selfsubjectreviews"],
  "authorization.k8s.io": [
    "subjectaccessreviews",
    "selfsubjectaccessreviews",
    "localsubjectaccessreviews",
    "selfsubjectrulesreviews",
  ],
  "events.k8s.io": ["events"],
};

/** Whether quotas pass over the resource. */
export function isIgnoredByQuotas({ group, resource }: GroupResource): boolean {
  return Object.hasOwn(ignored, group) && (ignored[group] ?? []).includes(resource);
}
