// The comparable part of answers about objects, with the audit annotations of their requests.
import { view as viewOfObject } from "../../areas/custom-resources.mjs";
import { AuditLogs } from "../audit-log.mjs";

const logs = process.env.AUDIT_LOGS && new AuditLogs(process.env.AUDIT_LOGS.split(","));

/** Annotations that no policy and no webhook makes. */
const others =
  /^(?:authorization\.k8s\.io|why\.authorization\.gatehouse\.dev|apiserver\.latency\.k8s\.io|pod-security\.)/;

/** Time in milliseconds after which an answer has no event. */
const patienceMs = 2000;

/** Separates warnings, which follow each other in one header. */
const nextWarning = /, (?=299 - )/;

/**
 * Returns the view of answers: body, warnings, and audit annotations where AUDIT_LOGS names the logs of both servers.
 * v1.29 looks at bindings, and at several parameters of one, in the order of a Go map: of `several` that deny any one is
 * told, and warnings and joined annotations have any order.
 */
export const viewOf =
  ({ several = false } = {}) =>
  (answer) => {
    const warnings = warningsOf(answer.headers);
    const annotations = logs && annotationsOf(answer.headers["audit-id"]);
    const body = withoutChance(viewOfObject(answer));
    return several
      ? {
          body: body?.code === undefined ? body : "refused",
          warnings: warnings.sort(),
          annotations: sorted(annotations),
        }
      : { body, warnings, annotations };
  };

/** Returns the annotations of the last event of that id that AUDIT_LOGS have; undefined if there is none. */
export function annotationsOf(id) {
  const event = logs.eventsOf(id, (events) => events.length > 0, patienceMs).at(-1);
  const kept = Object.entries(event?.annotations ?? {}).filter(([key]) => !others.test(key));
  return event && Object.fromEntries(kept.sort());
}

export function warningsOf({ warning = [] }) {
  return [warning].flat().flatMap((text) => text.split(nextWarning));
}

/** Failures are noted once, whichever comes first; the values of one annotation are joined. */
function sorted(annotations) {
  return (
    annotations &&
    Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [
        key,
        key.endsWith("/validation_failure") ? "noted" : value.split(", ").sort(),
      ]),
    )
  );
}

/**
 * Returns a body without managers, generated names, and the differences that Go's printer shows between two specs of a Pod,
 * which has no stable text.
 */
function withoutChance(value) {
  if (Array.isArray(value)) return value.map(withoutChance);
  if (typeof value === "string")
    return value.replace(/\bgen-[a-z0-9]{5}\b/g, "gen-NAME").replace(/(?:\\n|\s)*core\.PodSpec\{.*$/s, "DIFFERENCES");
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key]) => key !== "managedFields");
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutChance(member)]));
}
