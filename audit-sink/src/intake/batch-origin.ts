import type { IncomingHttpHeaders } from "node:http";
import { auditSequenceHeader, auditSourceHeader } from "@gatehouse/envelopes/audit-headers";
import { badRequest } from "@gatehouse/envelopes/status";

/** Place of a batch's events among all events of their source. */
export interface BatchOrigin {
  readonly source: string;
  readonly sequence: number;
}

/** Pattern of a source's name, long enough for the name of a host and an identifier. */
const sourcePattern = /^[\x21-\x7e]{1,253}$/;

/**
 * Returns the origin in the headers of a request; undefined when the sender does not number its events, as v1.29 does
 * not. Throws StatusError 400 for malformed headers.
 */
export function batchOriginOf(headers: IncomingHttpHeaders): BatchOrigin | undefined {
  const source = headers[auditSourceHeader.toLowerCase()];
  const sequence = headers[auditSequenceHeader.toLowerCase()];
  if (source === undefined && sequence === undefined) {
    return undefined;
  }
  if (typeof source !== "string" || !sourcePattern.test(source)) {
    throw badRequest(`${auditSourceHeader} must be 1 to 253 printable characters without spaces`);
  }
  if (typeof sequence !== "string" || !/^\d{1,16}$/.test(sequence) || !Number.isSafeInteger(Number(sequence))) {
    throw badRequest(`${auditSequenceHeader} must be a number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return { source, sequence: Number(sequence) };
}
