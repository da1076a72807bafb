import type { auditV1 } from "@gatehouse/envelopes/types";
import { auditAttributesOf } from "@gatehouse/policies/audit";

/**
 * Names of the fields that events can be searched by, each a text; empty where an event has none. The order is that of
 * the columns on disk.
 */
export const eventFields = [
  "user",
  "impersonatedUser",
  "verb",
  "resource",
  "namespace",
  "name",
  "code",
  "decision",
  "stage",
  "level",
  "sourceIP",
  "sender",
] as const;

/** Name of a field that events can be searched by. */
export type EventField = (typeof eventFields)[number];

/** The searchable members of one event. */
export interface EventFacts {
  readonly values: Readonly<Record<EventField, string>>;
  readonly auditID: string;
  /** Time of the event's stage in microseconds since 1970; the time of receipt if the event has none. */
  readonly timeUs: number;
}

/** Longest text that is kept of a field, in UTF-16 units. No name of Kubernetes is longer; users are what callers say. */
const maxValueLength = 512;

/** Reads what an event can be searched by. Members of a wrong type, as a peer might send them, count as absent. */
export function factsOf(
  event: auditV1.Event,
  origin: { readonly sender: string; readonly receivedMs: number },
): EventFacts {
  const { resource, namespace, name } = targetOf(event);
  return {
    auditID: textOf(event.auditID),
    timeUs:
      microsecondsOf(event.stageTimestamp) ??
      microsecondsOf(event.requestReceivedTimestamp) ??
      origin.receivedMs * 1000,
    values: {
      user: textOf(event.user?.username),
      impersonatedUser: textOf(event.impersonatedUser?.username),
      verb: textOf(event.verb),
      resource: textOf(resource),
      namespace: textOf(namespace),
      name: textOf(name),
      code: event.responseStatus?.code === undefined ? "" : textOf(String(event.responseStatus.code)),
      decision: textOf(event.annotations?.["authorization.k8s.io/decision"]),
      stage: textOf(event.stage),
      level: textOf(event.level),
      sourceIP: textOf(event.sourceIPs?.[0]),
      sender: textOf(origin.sender),
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxValueLength) : "";
}

/** Returns the target of an event; the resource is written as by kubectl: `deployments.apps/scale`. */
function targetOf(event: auditV1.Event): { resource: string; namespace: string; name: string } {
  const { objectRef } = event;
  if (typeof objectRef?.resource === "string" && objectRef.resource !== "") {
    const { resource, apiGroup = "", subresource = "", namespace = "", name = "" } = objectRef;
    return { resource: resourceText(resource, apiGroup, subresource), namespace, name };
  }
  if (typeof event.requestURI !== "string" || typeof event.verb !== "string") {
    return { resource: "", namespace: "", name: "" };
  }
  // Lists of some servers have no objectRef.
  const { request } = auditAttributesOf({ verb: event.verb, requestURI: event.requestURI, user: {} });
  return request.isResourceRequest
    ? { ...request, resource: resourceText(request.resource, request.group, request.subresource) }
    : { resource: "", namespace: "", name: "" };
}

function resourceText(resource: string, group: string, subresource: string): string {
  const plural = group === "" ? resource : `${resource}.${group}`;
  return subresource === "" ? plural : `${plural}/${subresource}`;
}

const fraction = /\.(\d{1,9})/;

/** Times of audit events have six digits after the second, of which Date.parse keeps three. */
export function microsecondsOf(time: string | null | undefined): number | undefined {
  if (typeof time !== "string") {
    return undefined;
  }
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) {
    return undefined;
  }
  const digits = fraction.exec(time)?.[1] ?? "";
  return Math.floor(milliseconds / 1000) * 1_000_000 + Number(digits.padEnd(6, "0").slice(0, 6));
}
