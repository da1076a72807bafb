import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { Encoding } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";

/** A body that has been understood: what it was, and what it says. */
export interface UnderstoodBody {
  readonly body: Buffer;
  readonly encoding: Encoding;
  /** The parsed document; for protobuf, the decoded object. */
  readonly value: JsonValue;
}

/** Tells the audit log what a client has sent: as it has sent it, or as JSON where it has sent another form. */
export function recordBody({ audit }: RequestContext, { body, encoding, value }: UnderstoodBody): void {
  if (audit?.recordsRequest === true) {
    audit.requestBody(encoding === "json" ? body : Buffer.from(encodeJson(value)));
  }
}

/** Records the body of an object that is written, and its name where the path lacks it. */
export function recordObject(context: RequestContext, sent: UnderstoodBody, object: JsonObject): void {
  context.audit?.identify(object);
  recordBody(context, sent);
}

/** Records the body of a patch that has not been parsed yet. Text that is no JSON cannot be recorded. */
export function recordPatch({ audit }: RequestContext, body: Buffer): void {
  if (audit?.recordsRequest === true && isJson(body)) {
    audit.requestPatch(body);
  }
}

/** Records the body of an apply patch, which is YAML: v1.29 loses the event of what is not JSON as well. */
export function recordApplyPatch({ audit }: RequestContext, body: Buffer, value: JsonValue): void {
  if (audit?.recordsRequest === true) {
    audit.requestPatch(body[0] === 0x7b && isJson(body) ? body : Buffer.from(encodeJson(value)));
  }
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}
