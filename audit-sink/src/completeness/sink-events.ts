import { randomUUID } from "node:crypto";
import { digestOf } from "../log/digest.js";
import type { KeptEvent, NewBatch } from "../log/log-batch.js";

/** Sender by which the sink's own events are known. No sender of a configuration can have the name: it is no name there. */
const sinkSender = "system:audit-sink";

/** A finding of the sink that it reports in the stream of events. */
export type SinkFinding =
  | { readonly verb: "gap" | "gap-filled"; readonly sender: string; readonly source: string }
  | { readonly verb: "drop"; readonly pipeline: string }
  | { readonly verb: "damage"; readonly file: string };

/** The first and the last of the numbers of a source, or of the positions, that a finding is about. */
export interface FindingRange {
  readonly first: number;
  readonly last: number;
}

const apiVersion = "audit.k8s.io/v1";
const annotationPrefix = "audit.gatehouse.dev/";

/**
 * Makes a batch with an audit event of the sink for each finding: numbers of a source that are missing or have come late,
 * positions that were dropped, or positions that are damaged. The batch goes through the log and all pipelines as any other.
 */
export function sinkBatch(findings: readonly (readonly [SinkFinding, FindingRange])[]): NewBatch {
  const receivedTimestamp = Date.now();
  const time = new Date(receivedTimestamp).toISOString().replace("Z", "000Z");
  const events = findings.map(([finding, range], offset) => sinkEvent(finding, range, time, offset));
  return { sender: sinkSender, receivedTimestamp, events };
}

function sinkEvent(finding: SinkFinding, range: FindingRange, time: string, offset: number): KeptEvent {
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
  return { bytes, digest: digestOf(bytes), offset };
}
