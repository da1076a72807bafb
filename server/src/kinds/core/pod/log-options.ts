import type { RequestContext } from "@gatehouse/apiserver/request";
import { notNegative } from "@gatehouse/apiserver/validation";
import { parseInteger } from "@gatehouse/apiserver/verbs";
import { formatTime, parseTime } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { badRequest, type FieldError, fieldError, invalid } from "@gatehouse/envelopes/status";

/** PodLogOptions as they concern the call of a kubelet. */
export interface LogOptions {
  /** The name of the container; empty for the only one of the pod. */
  readonly container: string;
  /** True if any certificate of the kubelet is taken. */
  readonly insecureSkipTlsVerify: boolean;
  /** The query for the kubelet, sorted by its parameters. */
  readonly query: string;
}

/** Parses PodLogOptions from the query. Throws 400 for a value of the wrong type, 422 for one out of range. */
export function parseLogOptions({ query, info }: RequestContext): LogOptions {
  const sinceSeconds = parseInteger(query.get("sinceSeconds"));
  const sinceTime = readTime(query.get("sinceTime"));
  const tailLines = parseInteger(query.get("tailLines"));
  const limitBytes = parseInteger(query.get("limitBytes"));
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(fieldError.invalid("tailLines", tailLines, notNegative));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(fieldError.invalid("limitBytes", limitBytes, positive));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(fieldError.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(fieldError.invalid("sinceSeconds", sinceSeconds, positive));
  }
  if (errors.length > 0) {
    throw invalid({ group: "", kind: "PodLogOptions" }, info.name, errors);
  }
  const sent = new URLSearchParams();
  const flag = (name: string): [string, string | undefined] => [name, isSet(query.get(name)) ? "true" : undefined];
  for (const [name, value] of [
    flag("follow"),
    ["limitBytes", limitBytes],
    flag("previous"),
    ["sinceSeconds", sinceSeconds],
    ["sinceTime", sinceTime],
    ["tailLines", tailLines],
    flag("timestamps"),
  ] as const) {
    if (value !== undefined) {
      sent.append(name, String(value));
    }
  }
  return {
    container: query.get("container") ?? "",
    insecureSkipTlsVerify: isSet(query.get("insecureSkipTLSVerifyBackend")),
    query: String(sent),
  };
}

/** Reports whether a boolean of the query is set, as v1.29 reads it: by anything but 0 and false. */
function isSet(text: string | null): boolean {
  return text !== null && text !== "0" && text.toLowerCase() !== "false";
}

const positive = "must be greater than 0";

/** The time that v1.29 reads in an empty text, and sends on. */
const zeroTime = "0001-01-01T00:00:00Z";

/** Returns a time in UTC and in whole seconds. Throws 400 for a malformed time. */
function readTime(text: string | null): string | undefined {
  if (text === null || text === "") {
    return text === null ? undefined : zeroTime;
  }
  try {
    const { seconds } = parseTime(text);
    return formatTime(seconds) ?? undefined;
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
}
