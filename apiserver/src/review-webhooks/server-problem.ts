import { decodeJson, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { goQuote } from "@gatehouse/envelopes/go";
import { integerAt, isJsonObject, textAt } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { mediaTypeProblem } from "./media-type-problem.js";
import { statedText } from "./stated-text.js";

/** The error that an answer with an error status stands for. */
export interface ServerProblem {
  readonly code: number;
  readonly message: string;
}

/** The number of bytes of an answer that are quoted. */
const maxQuotedBytes = 2048;

/**
 * Returns the problem of an answer that is no success, or whose Content-Type Go cannot parse: then that alone is told. Undefined
 * for an answer whose body is to be read.
 */
export function answerProblem(code: number, contentType: string, body: Buffer): ServerProblem | undefined {
  const fault = contentType === "" ? undefined : mediaTypeProblem(contentType);
  if (fault !== undefined) {
    return { code: 500, message: `Internal error occurred: ${fault}` };
  }
  return code < 200 || code > 206 ? serverProblem(code, contentType, body) : undefined;
}

/** Returns v1.29's text for an answer without a body; one without a Content-Type passes for JSON. */
export function emptyBodyProblem(code: number, contentType: string): string {
  return `0-length response with status code: ${code} and content type: ${contentType || "application/json"}`;
}

/** Returns the problem that a server reports: a Status that it sends, or else v1.29's text for the code. */
export function serverProblem(code: number, contentType: string, body: Buffer): ServerProblem {
  const sent = statusOf(body);
  if (sent !== undefined) {
    return sent;
  }
  const isText = contentType === "" || contentType.trim().toLowerCase().startsWith("text/");
  const text = isText ? body.subarray(0, maxQuotedBytes).toString().trim() : "unknown";
  return { code, message: messageOf(code, text) };
}

function statusOf(body: Buffer): ServerProblem | undefined {
  try {
    const { value } = parseJson(body.toString());
    // A Status is one in any version that can be one.
    if (!isJsonObject(value) || statedText(value, "kind") !== "Status" || !isVersion(statedText(value, "apiVersion"))) {
      return undefined;
    }
    const { object } = decodeJson(messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.Status"), value);
    return textAt(object, "status") === "Failure"
      ? { code: Number(integerAt(object, "code")), message: textAt(object, "message") }
      : undefined;
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}

/** Reports whether a text is a version, with a group or without; none stands for the usual one. */
function isVersion(apiVersion: string): boolean {
  return apiVersion.split("/").length <= 2;
}

const knownMessages: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

const unusableType = "the server was unable to respond with a content type that the client supports";

function messageOf(code: number, text: string): string {
  const known = knownMessages.get(code);
  if (known !== undefined) {
    return known;
  }
  if (code === 403 || code === 415) {
    return text;
  }
  if (code === 406) {
    return text === "" || text === "unknown" ? unusableType : text;
  }
  return code >= 500
    ? `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
    : `the server responded with the status code ${code} but did not return more information`;
}
