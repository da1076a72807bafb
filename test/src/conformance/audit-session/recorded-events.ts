/** Members of an event. */
export type EventMembers = Record<string, unknown>;

/** Events by request and stage: `12 ResponseComplete`. */
export type SessionEvents = Readonly<Record<string, readonly EventMembers[]>>;

const times: ReadonlySet<string> = new Set(["requestReceivedTimestamp", "stageTimestamp"]);
/** Pattern of the annotations that are not compared: latencies of slow requests, and those that only Gatehouse adds. */
const ignoredAnnotation = /^apiserver\.latency\.k8s\.io\/|\.gatehouse\.dev\//;
const uid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The events of a session in an audit log, without what no two runs have in common. */
export function sessionEvents(log: string, tag: string): SessionEvents {
  const events: Record<string, EventMembers[]> = {};
  for (const line of log.split("\n")) {
    if (line.includes(`"auditID":"${tag}-`)) {
      const event = JSON.parse(line) as EventMembers & { auditID: string; stage: string };
      const key = `${event.auditID.slice(tag.length + 1)} ${event.stage}`;
      const members = Object.entries(event).filter(([name]) => !times.has(name) && name !== "auditID");
      events[key] ??= [];
      events[key].push(withoutChance(Object.fromEntries(members), tag) as EventMembers);
    }
  }
  return events;
}

/** Names that stand for what is different in each run: identities, versions, times, generated names, ages, the tag. */
export function withoutChance(value: unknown, tag: string, key = ""): unknown {
  if (typeof value === "string") {
    return textWithoutChance(value, tag, key);
  }
  if (Array.isArray(value)) {
    return value.map((item) => withoutChance(item, tag, key));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        // What is served is compared elsewhere.
        .filter(([name]) => !(name === "items" && "kind" in value && value.kind === "APIGroupDiscoveryList"))
        .filter(([name]) => !(key === "annotations" && ignoredAnnotation.test(name)))
        .map(([name, member]) => [name.replaceAll(tag, "TAG"), withoutChance(member, tag, name)]),
    );
  }
  return value;
}

function textWithoutChance(text: string, tag: string, key: string): string {
  if (uid.test(text)) {
    return "UID";
  }
  if (time.test(text)) {
    return "TIME";
  }
  if (key === "resourceVersion") {
    return "VERSION";
  }
  if (key === "cells" && /^\d+s$|^<unknown>$/.test(text)) {
    return "AGE";
  }
  if (key === "continue" || key === "token") {
    return key.toUpperCase();
  }
  if (key === "serverAddress") {
    return "ADDRESS";
  }
  if (key === "description") {
    // Ours are written in our own words.
    return "DESCRIPTION";
  }
  return text
    .replaceAll(tag, "TAG")
    .replace(/(TAG-gen|kube-api-access)-[a-z0-9]{5}/g, "$1-NAME")
    .replace(/(UID in object meta: |UID in record \()[-0-9a-f]{36}/g, "$1UID");
}
