// Views of answers that show the audit events of their requests, with all that may differ between two servers made equal.
import { isDeepStrictEqual } from "node:util";
import { AuditLogs } from "../audit-log.mjs";
import { comparable } from "../comparable.mjs";

/**
 * Time in milliseconds after which no more events of an answered request are written, since a policy may leave out the last
 * one. This server writes them before the answer ends.
 */
const patienceMs = { left: 10, right: 60 };

/** The logs of both servers, the left one first; one log may be all there is. */
const logs = (process.env.AUDIT_LOGS ?? "").split(",").map((file) => new AuditLogs([file], readLine));

/** A line of either format. */
function readLine(line) {
  if (line.startsWith("{")) return JSON.parse(line);
  const [, auditID, stage] = /AUDIT: id="((?:[^"\\]|\\.)*)" stage="(\w*)"/.exec(line) ?? [];
  return { auditID: auditID && JSON.parse(`"${asText(auditID)}"`), stage, line };
}

/** A text as Go quotes it, with the bytes that are no text as this server reads them. */
function asText(quoted) {
  return quoted.replace(/\\x[89a-f][0-9a-f]/g, "\ufffd");
}

/** Returns the view of the answer to a request: the code, and the events. `sent` is the body, if it is an object. */
export const viewOf =
  ({ method, sent, isUnreadable = false }) =>
  ({ side = "left", headers, status }) => {
    const isLast = ({ stage }) => stage === "ResponseComplete" || stage === "Panic";
    const isComplete = (events) => events.some(isLast) || (status === 401 && events.length > 0);
    const events = logs
      .at(side === "left" ? 0 : -1)
      .eventsOf(Buffer.from(headers["audit-id"] ?? "", "latin1").toString(), isComplete, patienceMs[side]);
    const isPatch = method === "PATCH";
    return events
      .filter((event) => !(isUnreadable && isPatch && event.stage === "ResponseComplete" && event.level !== "Metadata"))
      .map((event) => (event.line ? lineWithoutChance(event) : withoutChance(event, { side, sent, isPatch })));
  };

function lineWithoutChance({ line }) {
  const milder = asText(line).replace(/response="500"$/, 'response="400"');
  const shown = milder.replace(/^\S+/, "NOW").replace(/id="(?:[^"\\]|\\.)*"/, "ID");
  // Lists have no object here, which a line shows as no namespace.
  return / method="(?:list|watch)" /.test(shown) ? shown.replace(/ namespace="[^"]*" uri=/, " uri=") : shown;
}

function withoutChance({ auditID: _, annotations, ...event }, { side, sent, isPatch }) {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !ofServer.test(key));
  const shown = {
    ...event,
    ...(event.requestObject !== undefined && !isPatch && { requestObject: asSent(event.requestObject, side, sent) }),
    annotations: Object.fromEntries(kept),
  };
  // Lists have no object here (decision 0022).
  if (event.verb === "list" || event.verb === "watch") delete shown.objectRef;
  return revised(comparable({ body: JSON.stringify(milder(shown)) }));
}

/** Returns the event with 400 for what a request did wrong, where v1.29 takes it for its own fault (decision 0008). */
function milder(event) {
  const { code, reason, status } = event.responseStatus ?? {};
  if (code !== 500 || reason !== undefined) return event;
  const answered = { code: 400, ...(status && { reason: "BadRequest" }) };
  const members = ["responseStatus", "responseObject"].filter((name) => name in event);
  return { ...event, ...Object.fromEntries(members.map((name) => [name, { ...event[name], ...answered }])) };
}

/** Annotations of slow requests, and those that v1.29 has not. */
const ofServer = /^apiserver\.latency\.k8s\.io\/|\.gatehouse\.dev\//;

/** The body of a request is recorded as it was sent here, and with defaults and types in v1.29 (decision 0022). */
function asSent(recorded, side, sent) {
  if (side === "right" || sent === undefined) return "AS SENT";
  const bare = (object) =>
    JSON.parse(JSON.stringify(object), (key, value) =>
      key === "managedFields" || key === "token" ? undefined : value,
    );
  return isDeepStrictEqual(bare(recorded), bare(sent)) ? "AS SENT" : { recorded, sent };
}

/** Leaves out what is drawn by chance, and tokens, which are not recorded here. */
function revised(value, key = "") {
  if (typeof value === "string") {
    if (key === "cells" && /^(?:\d+s|\d+m\d*s?|<unknown>)$/.test(value)) return "AGE";
    if (key === "continue") return "CONTINUE";
    if (key === "serverAddress") return "ADDRESS";
    // v1.29 goes through bindings in any order.
    if (key === "authorization.k8s.io/reason")
      return value.replace(/"system:(?:discovery|public-info-viewer)"/g, "ANY");
    return value
      .replace(/(in record \(|in object meta: )\d+/g, "$1VERSION")
      .replace(/\b(gen|kube-api-access)-[a-z0-9]{5}\b/g, "$1-NAME");
  }
  if (Array.isArray(value)) return value.map((item) => revised(item, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "token" && !(name === "items" && value.kind === "APIGroupDiscoveryList"))
      .map(([name, member]) => [name, name === "description" ? "TEXT" : revised(member, name)]),
  );
}
