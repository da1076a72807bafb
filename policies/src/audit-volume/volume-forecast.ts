import type { auditV1 } from "@gatehouse/envelopes/types";
import { auditAttributesOf } from "../audit/audit-attributes.js";
import { compareAuditLevels } from "../audit/audit-level.js";
import { type AuditVerdict, type CompiledAuditPolicy, compileAuditPolicy } from "../audit/compile-audit-policy.js";
import { lowerEvent } from "../audit/lower-event.js";

/** The effect that a policy would have had on events that were recorded under another one. */
export interface VolumeReport {
  /** The volume of the recorded events. */
  readonly recorded: Volume;
  /** The volume that the policy would have recorded. */
  readonly forecast: Volume;
  /** Volumes by rule of the policy, in its order, and a last one for requests that match none. */
  readonly rules: readonly RuleVolume[];
  /** The times of the first and the last request, in milliseconds since 1970; undefined without a time. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  /**
   * The number of events that the policy would record at a higher level than they were: their bodies are unknown, so
   * that the bytes are too few.
   */
  readonly belowLevel: number;
}

/** A number of events, and their bytes as JSON lines. */
export interface Volume {
  readonly events: number;
  readonly bytes: number;
}

/** The volume that one rule would have recorded. */
export interface RuleVolume extends Volume {
  /** The index of the rule; -1 for requests that match none. */
  readonly rule: number;
  readonly level: string;
  /** The number of events that the rule decides about, whether it records them or not. */
  readonly matched: number;
  readonly belowLevel: number;
}

interface Tally {
  readonly verdict: AuditVerdict;
  matched: number;
  events: number;
  bytes: number;
  belowLevel: number;
  /** The number of events at RequestReceived that the policy demands and that were not recorded. */
  receivedEvents: number;
  receivedBytes: number;
}

const noMatch: AuditVerdict = {
  level: "None",
  omitStages: new Set(),
  omitManagedFields: false,
  rule: -1,
};
/** Verbs whose requests have a body. */
const writes = new Set(["create", "update", "patch", "delete", "deletecollection"]);
const newlineBytes = 1;

/** Counts what a policy would make of recorded events, in any order. */
export class VolumeForecast {
  readonly #policy: CompiledAuditPolicy;
  readonly #tallies: readonly Tally[];
  readonly #unmatched: Tally = newTally(noMatch);
  #events = 0;
  #bytes = 0;
  #sawReceived = false;
  #fromMs = Number.POSITIVE_INFINITY;
  #toMs = Number.NEGATIVE_INFINITY;

  constructor(policy: auditV1.Policy) {
    this.#policy = compileAuditPolicy(policy);
    this.#tallies = this.#policy.verdicts.map(newTally);
  }

  /** Takes a recorded event; `bytes` is its length as JSON. */
  observe(event: auditV1.Event, bytes: number): void {
    this.#events++;
    this.#bytes += bytes + newlineBytes;
    this.#noteTime(event);
    const verdict = this.#policy.evaluate(auditAttributesOf(event));
    const tally = this.#tallies[verdict.rule] ?? this.#unmatched;
    tally.matched++;
    if (event.stage === "RequestReceived") {
      this.#sawReceived = true;
    } else {
      noteReceived(tally, event);
    }
    const lowered = lowerEvent(event, verdict);
    if (lowered === undefined) {
      return;
    }
    tally.events++;
    tally.bytes += (lowered === event ? bytes : jsonBytes(lowered)) + newlineBytes;
    if (lacksBody(event, verdict)) {
      tally.belowLevel++;
    }
  }

  report(): VolumeReport {
    const rules = [...this.#tallies, this.#unmatched].map((tally): RuleVolume => {
      // Where the policy of then left RequestReceived out, each later event stands for one.
      const addEvents = this.#sawReceived ? 0 : tally.receivedEvents;
      const addBytes = this.#sawReceived ? 0 : tally.receivedBytes;
      return {
        rule: tally.verdict.rule,
        level: tally.verdict.level,
        matched: tally.matched,
        events: tally.events + addEvents,
        bytes: tally.bytes + addBytes,
        belowLevel: tally.belowLevel,
      };
    });
    const sum = (count: (rule: RuleVolume) => number): number => rules.reduce((total, rule) => total + count(rule), 0);
    const hasTime = Number.isFinite(this.#fromMs);
    return {
      recorded: { events: this.#events, bytes: this.#bytes },
      forecast: { events: sum(({ events }) => events), bytes: sum(({ bytes }) => bytes) },
      rules,
      fromMs: hasTime ? this.#fromMs : undefined,
      toMs: hasTime ? this.#toMs : undefined,
      belowLevel: sum(({ belowLevel }) => belowLevel),
    };
  }

  #noteTime({ requestReceivedTimestamp }: auditV1.Event): void {
    const timeMs = Date.parse(requestReceivedTimestamp ?? "");
    if (!Number.isNaN(timeMs)) {
      this.#fromMs = Math.min(this.#fromMs, timeMs);
      this.#toMs = Math.max(this.#toMs, timeMs);
    }
  }
}

function newTally(verdict: AuditVerdict): Tally {
  return { verdict, matched: 0, events: 0, bytes: 0, belowLevel: 0, receivedEvents: 0, receivedBytes: 0 };
}

/** Adds the event that the request would have had when it was received: the later one without what came later. */
function noteReceived(tally: Tally, event: auditV1.Event): void {
  const { level, omitStages } = tally.verdict;
  // Of a watch there are two later events; failed authentication has none at this stage.
  const isFirst = event.stage !== "ResponseStarted" && (event.user.username ?? "") !== "";
  if (level === "None" || omitStages.has("RequestReceived") || !isFirst) {
    return;
  }
  const {
    requestObject: _requestObject,
    responseObject: _responseObject,
    responseStatus: _responseStatus,
    annotations: _annotations,
    ...received
  } = event;
  tally.receivedEvents++;
  tally.receivedBytes += jsonBytes({ ...received, level, stage: "RequestReceived" }) + newlineBytes;
}

function lacksBody(event: auditV1.Event, { level }: AuditVerdict): boolean {
  if (compareAuditLevels(level, event.level) <= 0 || event.stage === "RequestReceived") {
    return false;
  }
  return level === "RequestResponse" || (writes.has(event.verb) && event.level === "Metadata");
}

function jsonBytes(event: auditV1.Event): number {
  return Buffer.byteLength(JSON.stringify(event));
}
