import { encodeStoredJson, parseStoredJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { auditAttributesOf, compileAuditPolicy, lowerEvent } from "@gatehouse/policies/audit";
import { parseRedactionPath, type RedactionPath, redact } from "./redaction.js";

/** Returns the bytes of an event to deliver, or undefined to leave it out. */
export type EventTransform = (event: Buffer) => Buffer | undefined;

/** Policy and redaction that a pipeline applies to events. */
export interface EventTransformOptions {
  readonly policy: auditV1.Policy | undefined;
  /** Paths that `parseRedactionPath` understands. */
  readonly redact: readonly string[];
}

/**
 * Applies a policy to events that were recorded before, and then blots fields out. What neither changes keeps its bytes;
 * a pipeline without both never looks into events.
 */
export function eventTransform({ policy, redact: texts }: EventTransformOptions): EventTransform {
  const compiled = policy === undefined ? undefined : compileAuditPolicy(policy);
  const paths = texts.map((text): RedactionPath => {
    const path = parseRedactionPath(text);
    if (path === undefined) {
      throw new TypeError(`${JSON.stringify(text)} is no path`);
    }
    return path;
  });
  if (compiled === undefined && paths.length === 0) {
    return (bytes) => bytes;
  }
  return (bytes) => {
    const event = parseStoredJson(bytes.toString()) as unknown as auditV1.Event;
    const left = compiled === undefined ? event : lowerEvent(event, compiled.evaluate(attributesOf(event)));
    if (left === undefined) {
      return undefined;
    }
    // Each is the event of this call alone, whatever the policy has shared of it.
    const isRedacted = paths.map((path) => redact(left as unknown as JsonObject, path)).some(Boolean);
    return left === event && !isRedacted ? bytes : Buffer.from(encodeStoredJson(left as unknown as JsonObject));
  };
}

/** Returns the attributes of an event as sent, whose members need not have their types. */
function attributesOf({ verb, requestURI, user }: auditV1.Event): ReturnType<typeof auditAttributesOf> {
  const { username, groups } = typeof user === "object" && user !== null ? user : {};
  return auditAttributesOf({
    verb: textOf(verb),
    requestURI: textOf(requestURI),
    user: {
      username: textOf(username),
      groups: Array.isArray(groups) ? groups.filter((group) => typeof group === "string") : [],
    },
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
