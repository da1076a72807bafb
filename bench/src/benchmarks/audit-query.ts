import { join } from "node:path";
import { type AuditLog, digestOf, type EventIndex, openAuditLog, openEventIndex } from "@gatehouse/audit-sink";
import { pause } from "@gatehouse/component-base/time";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { Benchmark } from "../benchmark.js";
import { formatNumber } from "../report.js";
import { interleave } from "../rounds.js";

const eventsInBatch = 400;
/** Number of events of which one is of a user who does little else. */
const rareEvery = 50_000;
/** Rare users: each round asks for another one, of whom nothing is remembered. */
const rareUsers = 20;
const users = 200;

/** Measures the gain of the columns of the index. */
export const auditQueryBenchmark: Benchmark = {
  name: "audit-query",
  what: "audit sink: all events of one user who is seldom seen, in the index",
  limit: "a scan of the log that parses each event",
  unit: "answers/s",
  wanted: { atLeast: 100 },
  async run(environment) {
    const { auditEvents: count } = environment;
    const directory = await environment.makeDirectory();
    await using log = await openAuditLog({ directory: join(directory, "log"), segmentBytes: 64 * 1024 * 1024 });
    const startedAt = performance.now();
    await fillLog(log, count);
    const loggedMs = performance.now() - startedAt;
    const unbounded = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
    const config = { directory: join(directory, "index"), retention: unbounded };
    await using index = await openEventIndex({ config, log });
    const indexingAt = performance.now();
    while (index.status.position < log.endPosition) {
      await pause(100, new AbortController().signal);
    }
    const indexedMs = performance.now() - indexingAt;
    let round = 0;
    const measurement = await interleave(
      Math.min(environment.rounds, 3),
      () => timed(() => queryIndex(index, rareUser(round++)), expectedOf(count, round)),
      () => timed(() => scanLog(log, rareUser(round)), expectedOf(count, round)),
    );
    return {
      ...measurement,
      notes: [
        ...measurement.notes,
        `${formatNumber(count)} events; the index took ${formatNumber(count / (indexedMs / 1000))} events/s and ${formatNumber(index.status.bytes / count)} bytes each; the log was filled with ${formatNumber(count / (loggedMs / 1000))} events/s`,
      ],
    };
  },
};

function rareUser(round: number): string {
  return `rare-${round % rareUsers}`;
}

function expectedOf(count: number, round: number): number {
  const all = Math.ceil(count / rareEvery);
  return Math.ceil((all - (round % rareUsers)) / rareUsers);
}

async function timed(answer: () => Promise<number>, expected: number) {
  const startedAt = performance.now();
  const found = await answer();
  const elapsedMs = performance.now() - startedAt;
  if (found !== expected) {
    throw new Error(`found ${found} events, not ${expected}`);
  }
  return { value: 1000 / elapsedMs };
}

async function queryIndex(index: EventIndex, user: string): Promise<number> {
  const { events } = await index.find({ fields: { user: [user] } }, { limit: 1000 });
  return events.length;
}

async function scanLog(log: AuditLog, user: string): Promise<number> {
  let found = 0;
  for await (const { position, events } of log.readFrom(0, new AbortController().signal)) {
    for (const { bytes } of events) {
      const event = JSON.parse(bytes.toString()) as JsonValue;
      const told = isJsonObject(event) ? event["user"] : undefined;
      found += isJsonObject(told) && told["username"] === user ? 1 : 0;
    }
    if (position + events.length >= log.endPosition) {
      break;
    }
  }
  return found;
}

async function fillLog(log: AuditLog, count: number): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  for (let first = 0; first < count; first += eventsInBatch) {
    const length = Math.min(eventsInBatch, count - first);
    const events = Array.from({ length }, (_, offset) => {
      const bytes = Buffer.from(eventJson(first + offset));
      return { bytes, digest: digestOf(bytes), offset };
    });
    const appended = log.append({ sender: "bench", receivedTimestamp: Date.now(), events });
    pending.add(appended);
    void appended.finally(() => pending.delete(appended));
    if (pending.size >= 8) {
      await Promise.race(pending);
    }
  }
  await Promise.all(pending);
}

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
const resources = ["pods", "configmaps", "secrets", "leases", "endpoints", "nodes"];
const startMs = Date.UTC(2026, 0, 1);

/** An event at level Metadata, of about 1 KB. */
function eventJson(n: number): string {
  const isRare = n % rareEvery === 0;
  const time = `${new Date(startMs + n).toISOString().slice(0, -1)}000Z`;
  const namespace = `namespace-${n % 50}`;
  const resource = resources[n % resources.length] as string;
  return JSON.stringify({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    stage: "ResponseComplete",
    requestURI: `/api/v1/namespaces/${namespace}/${resource}/object-${n % 10_000}?timeout=10s`,
    verb: verbs[n % verbs.length],
    user: {
      username: isRare ? rareUser(n / rareEvery) : `system:serviceaccount:${namespace}:worker-${n % users}`,
      uid: "b3c1b1f0-6c0e-4a8e-9a5c-0c8f5f9f6f11",
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
      extra: { "authentication.kubernetes.io/pod-name": [`worker-${n % users}-7d9c5b6f4-x2x9k`] },
    },
    sourceIPs: [`10.0.${n % 250}.7`],
    userAgent: "controller/v1.29.0 (linux/amd64) kubernetes/3f7a50f/leader-election",
    objectRef: { resource, namespace, name: `object-${n % 10_000}`, apiVersion: "v1" },
    responseStatus: { metadata: {}, code: n % 20 === 0 ? 404 : 200 },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    annotations: {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason": `RBAC: allowed by RoleBinding "worker/${namespace}" of Role "worker" to ServiceAccount "worker-${n % users}/${namespace}"`,
    },
  });
}
