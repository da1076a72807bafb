import { parseMicroTime, parseStoredJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { OutputEvent } from "../output.js";

/** An attribute in OTLP's JSON. */
interface Attribute extends JsonObject {
  key: string;
  value: JsonObject;
}

/** Severities of OpenTelemetry's log data model. */
const info = { severityNumber: 9, severityText: "INFO" };
const warn = { severityNumber: 13, severityText: "WARN" };
const failed = { severityNumber: 17, severityText: "ERROR" };

const millisecond = 1_000_000n;

/**
 * An event as a LogRecord of OTLP: the whole event is its body; what people search for are attributes, by the names of the
 * semantic conventions where they have one, and beside them under `k8s.audit.`. `log.record.uid` is the same each time the
 * event is delivered.
 */
export function logRecordOf(event: OutputEvent): JsonObject {
  const text = event.bytes.toString();
  const content = objectOf(parseStoredJson(text));
  const response = objectOf(content["responseStatus"]);
  const code = typeof response["code"] === "number" ? response["code"] : 0;
  const observed = BigInt(Math.round(event.receivedTimestamp)) * millisecond;
  return {
    timeUnixNano: String(nanosecondsOf(content["stageTimestamp"]) ?? observed),
    observedTimeUnixNano: String(observed),
    ...(code >= 500 ? failed : code >= 400 ? warn : info),
    eventName: "k8s.audit",
    body: { stringValue: text },
    attributes: attributesOf(event, content, code),
  };
}

function attributesOf(event: OutputEvent, content: JsonObject, code: number): Attribute[] {
  const user = objectOf(content["user"]);
  const ref = objectOf(content["objectRef"]);
  const [path = "", query = ""] = splitUri(content["requestURI"]);
  const { sourceIPs } = content;
  return [
    ...text("log.record.uid", `${event.sender}/${Buffer.from(event.digest, "latin1").toString("hex")}`),
    ...text("user.name", user["username"]),
    ...text("user.id", user["uid"]),
    ...texts("k8s.audit.user.groups", user["groups"]),
    ...text("user_agent.original", content["userAgent"]),
    ...text("client.address", Array.isArray(sourceIPs) ? sourceIPs[0] : undefined),
    ...text("url.path", path),
    ...text("url.query", query),
    ...(code === 0 ? [] : [{ key: "http.response.status_code", value: { intValue: String(code) } }]),
    ...text("k8s.namespace.name", ref["namespace"]),
    ...text("k8s.audit.id", content["auditID"]),
    ...text("k8s.audit.level", content["level"]),
    ...text("k8s.audit.stage", content["stage"]),
    ...text("k8s.audit.verb", content["verb"]),
    ...text("k8s.audit.impersonated_user.name", objectOf(content["impersonatedUser"])["username"]),
    ...text("k8s.audit.object.group", ref["apiGroup"]),
    ...text("k8s.audit.object.version", ref["apiVersion"]),
    ...text("k8s.audit.object.resource", ref["resource"]),
    ...text("k8s.audit.object.subresource", ref["subresource"]),
    ...text("k8s.audit.object.name", ref["name"]),
    ...text("k8s.audit.object.uid", ref["uid"]),
    ...text("k8s.audit.decision", objectOf(content["annotations"])["authorization.k8s.io/decision"]),
    ...text("k8s.audit.sender", event.sender),
  ];
}

/** An attribute of text; none for what is empty or of another type. */
export function text(key: string, value: JsonValue | undefined): Attribute[] {
  return typeof value === "string" && value !== "" ? [{ key, value: { stringValue: value } }] : [];
}

function texts(key: string, values: JsonValue | undefined): Attribute[] {
  const known = (Array.isArray(values) ? values : []).filter((value) => typeof value === "string");
  return known.length === 0
    ? []
    : [{ key, value: { arrayValue: { values: known.map((value) => ({ stringValue: value })) } } }];
}

function splitUri(uri: JsonValue | undefined): readonly string[] {
  if (typeof uri !== "string") {
    return [];
  }
  const at = uri.indexOf("?");
  return at < 0 ? [uri] : [uri.slice(0, at), uri.slice(at + 1)];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function nanosecondsOf(time: JsonValue | undefined): bigint | undefined {
  if (typeof time !== "string") {
    return undefined;
  }
  try {
    const { seconds, nanos } = parseMicroTime(time);
    return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
  } catch {
    return undefined;
  }
}
