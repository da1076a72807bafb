import type { RequestContext } from "@gatehouse/apiserver/request";
import { notNegative } from "@gatehouse/apiserver/validation";
import { parseInteger } from "@gatehouse/apiserver/verbs";
import { parseTime } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { badRequest, type FieldError, fieldError, invalid } from "@gatehouse/envelopes/status";

/** The part of PodLogOptions that is needed before a kubelet is called. */
export interface LogOptions {
  /** The name of the container; empty for the only one of the pod. */
  readonly container: string;
}

/** Parses PodLogOptions from the query. Throws 400 for a value of the wrong type, 422 for one out of range. */
export function parseLogOptions({ query, info }: RequestContext): LogOptions {
  const sinceSeconds = parseInteger(query.get("sinceSeconds"));
  const hasSinceTime = readTime(query.get("sinceTime"));
  const tailLines = parseInteger(query.get("tailLines"));
  const limitBytes = parseInteger(query.get("limitBytes"));
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(fieldError.invalid("tailLines", tailLines, notNegative));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(fieldError.invalid("limitBytes", limitBytes, positive));
  }
  if (sinceSeconds !== undefined && hasSinceTime) {
    errors.push(fieldError.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(fieldError.invalid("sinceSeconds", sinceSeconds, positive));
  }
  if (errors.length > 0) {
    throw invalid({ group: "", kind: "PodLogOptions" }, info.name, errors);
  }
  return { container: query.get("container") ?? "" };
}

const positive = "must be greater than 0";

/** Reports whether a time is given; an empty one is none. Throws 400 for a malformed time. */
function readTime(text: string | null): boolean {
  if (text === null || text === "") {
    return false;
  }
  try {
    parseTime(text);
    return true;
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
}
