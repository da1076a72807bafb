import { decodeProtobuf, parseYaml, unwrapUnknown } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { FuzzOutcome } from "./fuzz-answer.js";
import type { FuzzRequest } from "./fuzz-request.js";
import { futureVersion } from "./queries.js";

/** HTTP itself, before anybody has looked at the request: Node's own answers. */
const protocolStatuses = new Set([400, 417, 431, 505]);
/** Size in bytes of a body above which a server may close the connection without reading it. */
const largeBodyBytes = 1024 * 1024;

/** Returns the fault in the outcome of a request; undefined when there is none. */
export async function checkOutcome(request: FuzzRequest, outcome: FuzzOutcome): Promise<string | undefined> {
  if (outcome.kind === "hang") {
    return `no answer came: ${outcome.detail}`;
  }
  if (outcome.kind === "closed") {
    const mayClose = request.protocol === "raw" || (request.body?.length ?? 0) > largeBodyBytes;
    return mayClose || request.target.startsWith("*") ? undefined : `the connection was closed: ${outcome.error}`;
  }
  const { status } = outcome;
  const isForeseen =
    status === 505 || (status === 501 && hasUnknownEncoding(request)) || (status === 504 && mayRunOutOfTime(request));
  if (status >= 500 && !isForeseen) {
    return `status ${status}: ${outcome.body.subarray(0, 2000).toString()}`;
  }
  if (request.protocol === "raw" || request.method === "HEAD" || status < 200) {
    return undefined;
  }
  return status < 400 ? checkSuccess(outcome) : checkFailure(request, outcome);
}

/**
 * Reports whether a request may time out: it waits for a version that is never written, or has a timeout of seconds.
 */
function mayRunOutOfTime({ target }: FuzzRequest): boolean {
  return target.includes(futureVersion) || /[?&]timeout=\d+s/.test(target);
}

/** v1.29 answers 501 to transfer encodings other than `chunked` alone, and so does this server. */
function hasUnknownEncoding({ rawBytes }: FuzzRequest): boolean {
  return /^transfer-encoding:(?! *chunked\r$)/im.test(rawBytes?.toString("latin1") ?? "");
}

type Answer = Extract<FuzzOutcome, { kind: "answer" }>;

function checkSuccess({ status, contentType, body }: Answer): string | undefined {
  const isCompressed = body[0] === 0x1f;
  const isPart = status === 206;
  if (isPart || !contentType.startsWith("application/json") || isCompressed || body.length === 0) {
    return undefined;
  }
  for (const line of isStream(body) ? body.toString().trimEnd().split("\n") : [body.toString()]) {
    try {
      JSON.parse(line);
    } catch {
      return `the answer is no JSON: ${line.slice(0, 500)}`;
    }
  }
  return undefined;
}

function isStream(body: Buffer): boolean {
  return body.subarray(0, 9).toString() === '{"type":"';
}

/** Every error is a Status that says the same as the status line, but for v1.29's plain 404. */
async function checkFailure(request: FuzzRequest, answer: Answer): Promise<string | undefined> {
  const { status, contentType, body } = answer;
  if (status === 404 && contentType.startsWith("text/plain") && body.toString() === "404 page not found\n") {
    return undefined;
  }
  if (status === 400 && request.target.startsWith("*") && body.toString() === "400 Bad Request") {
    return undefined; // `*` with more behind it is no target of HTTP.
  }
  if (request.target.startsWith("/openapi/") && isDocumentRefusal(answer)) {
    return undefined;
  }
  if (protocolStatuses.has(status) && contentType === "" && body.length === 0) {
    return undefined;
  }
  const document = await readStatus(contentType, body);
  if (document === undefined) {
    return `status ${status} with ${contentType || "no type"}: ${body.subarray(0, 1000).toString()}`;
  }
  const { kind, apiVersion, code, reason, message } = document;
  const isRight =
    kind === "Status" &&
    apiVersion === "v1" &&
    document["status"] === "Failure" &&
    code === status &&
    typeof reason === "string" &&
    reason !== "" &&
    typeof message === "string" &&
    message !== "" &&
    !/\bat .*\.[jt]s:\d+|Cannot read prop|is not a function|undefined is not/.test(message);
  return isRight ? undefined : `status ${status} with ${JSON.stringify(document).slice(0, 1000)}`;
}

/** OpenAPI documents are served as files are: what Go's file server refuses has no Status. */
function isDocumentRefusal({ status, contentType, body }: Answer): boolean {
  const isBare = status === 404 || status === 406 || status === 412;
  return (isBare && body.length === 0) || (status === 416 && contentType.startsWith("text/plain"));
}

async function readStatus(contentType: string, body: Buffer): Promise<JsonObject | undefined> {
  try {
    if (contentType.startsWith("application/json")) {
      return JSON.parse(body.toString()) as JsonObject;
    }
    if (contentType === "application/yaml") {
      const { value } = await parseYaml(body.toString());
      return isJsonObject(value) ? value : undefined;
    }
    const schema = messageSchema("k8s.io.apimachinery.pkg.apis.meta.v1.Status");
    if (contentType === "application/vnd.kubernetes.protobuf" && schema !== undefined) {
      const { apiVersion, kind, raw } = unwrapUnknown(body);
      return { ...decodeProtobuf(schema, raw), apiVersion, kind };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof DecodeError)) {
      throw error;
    }
  }
  return undefined;
}
