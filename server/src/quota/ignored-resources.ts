import type { GroupResource } from "@gatehouse/envelopes/status";

/** Resources that quotas never count, by group: events, and those that are not stored. */
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

/** Reports whether quotas ignore the resource. */
export function isIgnoredByQuotas({ group, resource }: GroupResource): boolean {
  return Object.hasOwn(ignored, group) && (ignored[group] ?? []).includes(resource);
}
