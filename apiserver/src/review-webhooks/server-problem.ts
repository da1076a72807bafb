import { decodeJson, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isGroupVersion } from "@gatehouse/envelopes/go";
import { integerAt, isJsonObject, isSet, objectAt, textAt } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { genericProblem, type StatusDetails } from "@gatehouse/envelopes/status";
import { mediaTypeProblem } from "./media-type-problem.js";
import { statedText } from "./stated-text.js";

/** The error that an answer with an error status stands for. */
export interface ServerProblem {
  readonly code: number;
  /** The reason of the error; empty for none. */
  readonly reason: string;
  readonly message: string;
  /** Details for programs; undefined for a Status without any. */
  readonly details?: StatusDetails;
}

/** The number of bytes of an answer that are quoted. */
const maxQuotedBytes = 2048;

/**
 * Returns the problem of an answer that is no success, or whose Content-Type Go cannot parse: then that alone is told. Undefined
 * for an answer whose body is to be read. `retryAfterSeconds` is the delay that a header asks for.
 */
export function answerProblem(
  code: number,
  contentType: string,
  body: Buffer,
  retryAfterSeconds = 0,
): ServerProblem | undefined {
  const fault = contentType === "" ? undefined : mediaTypeProblem(contentType);
  if (fault !== undefined) {
    return { code: 500, reason: "InternalError", message: `Internal error occurred: ${fault}` };
  }
  return code < 200 || code > 206 ? serverProblem(code, contentType, body, retryAfterSeconds) : undefined;
}

/** Returns v1.29's text for an answer without a body; one without a Content-Type passes for JSON. */
export function emptyBodyProblem(code: number, contentType: string): string {
  return `0-length response with status code: ${code} and content type: ${contentType || "application/json"}`;
}

/** Returns the problem that a server reports: a Status that it sends, or else v1.29's text for the code. */
export function serverProblem(code: number, contentType: string, body: Buffer, retryAfterSeconds = 0): ServerProblem {
  const sent = statusOf(body);
  if (sent !== undefined) {
    return sent;
  }
  const isText = contentType === "" || contentType.trim().toLowerCase().startsWith("text/");
  const text = isText ? body.subarray(0, maxQuotedBytes).toString().trim() : "unknown";
  const causes = [{ reason: "UnexpectedServerResponse", ...(text === "" ? {} : { message: text }) }];
  const delay = retryAfterSeconds === 0 ? {} : { retryAfterSeconds };
  return { code, ...genericProblem({ code, text }), details: { causes, ...delay } };
}

function statusOf(body: Buffer): ServerProblem | undefined {
  try {
    const { value } = parseJson(body.toString());
    // A Status is one in any version that can be one.
    if (
      !isJsonObject(value) ||
      statedText(value, "kind") !== "Status" ||
      !isGroupVersion(statedText(value, "apiVersion"))
    ) {
      return undefined;
    }
    const { object } = decodeJson(messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.Status"), value);
    return textAt(object, "status") !== "Failure"
      ? undefined
      : {
          code: Number(integerAt(object, "code")),
          reason: textAt(object, "reason"),
          message: textAt(object, "message"),
          ...(isSet(object, "details") ? { details: objectAt(object, "details") as StatusDetails } : {}),
        };
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}
