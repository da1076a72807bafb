import type { JsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { type AuditLevel, compareAuditLevels } from "./audit-level.js";
import type { AuditVerdict } from "./compile-audit-policy.js";
import { omitManagedFields } from "./omit-managed-fields.js";

/**
 * Returns the part of a recorded event that a verdict keeps; undefined for none. An event is never raised, because
 * unrecorded data cannot be restored. An event that needs no change is returned as it is.
 */
export function lowerEvent(event: auditV1.Event, verdict: AuditVerdict): auditV1.Event | undefined {
  const { level, omitStages } = verdict;
  const stages: ReadonlySet<string> = omitStages;
  if (level === "None" || stages.has(event.stage)) {
    return undefined;
  }
  const lowered = compareAuditLevels(level, event.level) < 0 ? atLevel(event, level) : event;
  return verdict.omitManagedFields ? withoutManagedFields(lowered) : lowered;
}

function atLevel(event: auditV1.Event, level: AuditLevel): auditV1.Event {
  const { responseObject: _responseObject, ...withRequest } = event;
  if (level === "Request") {
    return { ...withRequest, level };
  }
  const { requestObject: _requestObject, ...metadata } = withRequest;
  return { ...metadata, level };
}

function withoutManagedFields(event: auditV1.Event): auditV1.Event {
  return withBare(withBare(event, "requestObject"), "responseObject");
}

function withBare(event: auditV1.Event, member: "requestObject" | "responseObject"): auditV1.Event {
  const object: JsonObject | undefined = event[member];
  const bare = object === undefined ? undefined : omitManagedFields(object);
  return bare === undefined || bare === object ? event : { ...event, [member]: bare };
}
