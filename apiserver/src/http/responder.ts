import { encodeJson, encodeYaml, encodeYamlChunks } from "@gatehouse/envelopes/codec";
import { parseGoBoolean } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import type { Status } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { sendAnswer } from "./answer.js";
import { measureLayer } from "./answer-latency.js";
import { indentJson } from "./indent-json.js";
import { type Encoding, negotiate, plainOffer } from "./negotiation.js";
import { encodeEnvelopedStatus } from "./status-protobuf.js";

/** Answers with bytes that are complete and immutable. */
export function sendBytes(context: RequestContext, code: number, contentType: string, body: Buffer): void {
  sendAnswer(context, code, { "Content-Type": contentType }, body);
}

/** Answers with a JSON document that already exists as bytes. It gets the newline that Go's encoder ends with. */
export function sendJsonBytes(context: RequestContext, code: number, json: Buffer): void {
  context.audit?.responseBody(json);
  if (wantsPretty(context)) {
    sendBytes(context, code, mediaTypes.json, indentJson(json));
    return;
  }
  const body = Buffer.allocUnsafe(json.length + 1);
  json.copy(body, 0);
  body[json.length] = 10;
  sendBytes(context, code, mediaTypes.json, body);
}

/** Answers with an object in the encoding the client asked for. A long YAML text is written in steps. */
export function sendObject(
  context: RequestContext,
  code: number,
  object: JsonObject,
  encoding: Encoding,
): MaybePromise<void> {
  if (encoding !== "yaml") {
    const json = measureLayer(context, "serialize-response-object", () => encodeJson(object));
    sendJsonBytes(context, code, Buffer.from(json));
    return;
  }
  recordAnswer(context, object);
  const send = (yaml: Buffer): void => sendBytes(context, code, mediaTypes.yaml, yaml);
  const made = measureLayer(context, "serialize-response-object", () => writeYaml(context, object));
  return made instanceof Promise ? made.then(send) : send(made);
}

function writeYaml(context: RequestContext, object: JsonObject): MaybePromise<Buffer> {
  const chunks = encodeYamlChunks(object);
  const first = chunks.next();
  const second = chunks.next();
  return first.done === true || second.done === true
    ? Buffer.from(first.value ?? "")
    : writeChunks(context, [first.value, second.value], chunks);
}

async function writeChunks(context: RequestContext, begun: readonly string[], rest: Iterable<string>): Promise<Buffer> {
  const all = begun.map((chunk) => Buffer.from(chunk));
  for (const chunk of rest) {
    await context.yield();
    all.push(Buffer.from(chunk));
  }
  return Buffer.concat(all);
}

/** Tells the audit log, where it wants that, of an object that is answered in another form than JSON. */
export function recordAnswer(context: RequestContext, object: JsonObject): void {
  if (context.audit?.recordsResponse === true) {
    context.audit.responseBody(Buffer.from(encodeJson(object)));
  }
}

/** Answers with a Status, in the encoding that the client asks for. */
export function sendStatus(context: RequestContext, status: Status): void {
  if (context.exchange.status !== 0) {
    context.breakOff();
    return;
  }
  const code = httpCodeOf(status);
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) {
    context.setHeader("Retry-After", String(retryAfter));
  }
  const chosen = negotiate(context.header("accept"), plainOffer);
  if (chosen === undefined) {
    // Nothing the client wants can be had: v1.29 then writes for the person behind it.
    const object = status as unknown as JsonObject;
    sendBytes(context, code, mediaTypes.json, indentJson(Buffer.from(encodeJson(object))));
    return;
  }
  sendStatusIn(context, code, status, chosen.encoding);
}

/** Webhooks choose the code of a Status; HTTP has none beyond 999, for which v1.29 cuts the connection. */
function httpCodeOf({ code = 200 }: Status): number {
  return code > 999 ? 500 : code;
}

/** Answers with a Status where the encoding is known: the answer to a request that could have had another. */
export function sendStatusIn(context: RequestContext, code: number, status: Status, encoding: Encoding): void {
  const object = status as unknown as JsonObject;
  context.audit?.responseStatus(status);
  if (encoding === "protobuf") {
    recordAnswer(context, object);
    sendBytes(context, code, mediaTypes.protobuf, encodeEnvelopedStatus(status));
    return;
  }
  if (encoding === "yaml") {
    recordAnswer(context, object);
    sendBytes(context, code, mediaTypes.yaml, Buffer.from(encodeYaml(object)));
    return;
  }
  sendJsonBytes(context, code, Buffer.from(encodeJson(object)));
}

/** Answers with text, as health checks and unknown paths do. */
export function sendText(
  context: RequestContext,
  code: number,
  text: string,
  contentType = "text/plain; charset=utf-8",
): void {
  context.setHeader("X-Content-Type-Options", "nosniff");
  sendBytes(context, code, contentType, Buffer.from(text));
}

/** Reports whether a client gets indented JSON. As in v1.29, curl and browsers do unless they say otherwise. */
export function wantsPretty(context: RequestContext): boolean {
  const asked = context.query.get("pretty");
  if (asked !== null && asked !== "") {
    return parseGoBoolean(asked) === true;
  }
  const agent = context.header("user-agent");
  return agent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(agent);
}
