import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Status } from "@gatehouse/envelopes/status";
import { recordAnswer, sendBytes } from "../http/responder.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { RequestContext } from "../request/request-context.js";

/**
 * Answers that the time of a request is over, in the form of v1.29: JSON that does not say that it is a Status, as plain text
 * whatever the client accepts, with the headers that were set before the time began.
 */
export function sayOutOfTime(context: RequestContext, status: Status, fields: HeaderFields): void {
  const object = status as unknown as JsonObject;
  const { kind: _, apiVersion: __, ...untyped } = object;
  context.resetAnswer(fields);
  context.audit?.responseStatus(status);
  recordAnswer(context, object);
  sendBytes(context, 504, "text/plain; charset=utf-8", Buffer.from(`${encodeJson(untyped)}\n`));
}
