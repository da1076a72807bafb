import { randomUUID } from "node:crypto";
import { digestOf } from "../log/digest.js";
import type { NewBatch } from "../log/log-batch.js";

/** Sender by which the sink's own events are known. No sender of a configuration can have the name: it is no name there. */
const sinkSender = "system:audit-sink";

/** What the sink itself has to tell in the stream of events. */
export type SinkFinding =
  | { readonly verb: "gap" | "gap-filled"; readonly sender: string; readonly source: string }
  | { readonly verb: "drop"; readonly pipeline: string };

const apiVersion = "audit.k8s.io/v1";
const annotationPrefix = "audit.gatehouse.dev/";

/**
 * An audit event of the sink itself: numbers of a source that are missing or have come late, or positions that were dropped.
 * It goes through the log and all pipelines as any other.
 */
export function sinkEvent(finding: SinkFinding, range: { readonly first: number; readonly last: number }): NewBatch {
  const receivedTimestamp = Date.now();
  const time = new Date(receivedTimestamp).toISOString().replace("Z", "000Z");
  const { verb, ...subject } = finding;
  const facts = { ...subject, first: String(range.first), last: String(range.last) };
  const event = {
    kind: "Event",
    apiVersion,
    level: "Metadata",
    auditID: randomUUID(),
    stage: "ResponseComplete",
    requestURI: `/audit/${verb}`,
    verb,
    user: { username: sinkSender },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    annotations: Object.fromEntries(Object.entries(facts).map(([name, value]) => [annotationPrefix + name, value])),
  };
  const bytes = Buffer.from(JSON.stringify(event));
  return { sender: sinkSender, receivedTimestamp, events: [{ bytes, digest: digestOf(bytes), offset: 0 }] };
}
