import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { ApiClient } from "../../spec/support/api-client.js";
import { until } from "../../support/until.js";

/** A request, and what kube-apiserver 1.29.0 answered. Those of a file are sent one after the other. */
export interface RecordedWrite {
  readonly method: string;
  readonly path: string;
  /** Media type of the body. */
  readonly type?: string;
  /** A text is sent as it is. */
  readonly body?: JsonValue;
  readonly answer?: WriteAnswer;
}

/** The part of an answer that does not differ between runs. */
export interface WriteAnswer {
  readonly code: number;
  /** Message of an error. */
  readonly message?: string;
  /** The reason of an error with a code of 500 or more, where one is stated. */
  readonly reason?: string;
  readonly causes?: JsonValue;
  readonly generation?: number;
  /** Members of an object except type and metadata. */
  readonly state?: JsonObject;
  /** Manager, operation and fields, in v1.29's order but for that of times. */
  readonly managers?: readonly string[];
}

/** The requests of a file, one in a line. */
export function readRecordedWrites(file: URL | string): readonly RecordedWrite[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedWrite);
}

/** Sends a request. A definition is waited for until its resource is served. */
export async function answerTo(client: ApiClient, { method, path, type, body }: RecordedWrite): Promise<WriteAnswer> {
  const answer = await client.request(method, path, {
    ...(body === undefined
      ? {}
      : {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": type ?? "application/json" },
        }),
  });
  const { status, text } = answer;
  if (method === "POST" && path.endsWith("/customresourcedefinitions") && status === 201) {
    const { name } = (body as { metadata: { name: string } }).metadata;
    await until(`${name} is established`, async () => {
      const { text: state } = await client.get(`${path}/${name}`);
      return /"Established","status":"True"|"status":"True","[^}]*"type":"Established"/.test(state);
    });
  }
  return text.startsWith("{") ? summaryOf(status, answer.document as unknown as JsonObject) : { code: status };
}

function summaryOf(code: number, document: JsonObject): WriteAnswer {
  const { kind, metadata, message, ...rest } = document;
  if (kind === "Status") {
    return {
      code,
      ...(typeof message === "string" && code >= 400 && { message: withoutChance(message) }),
      ...(code >= 500 && faultOf(document)),
    };
  }
  const { generation, managedFields } = metadata as JsonObject;
  const { apiVersion: _apiVersion, ...state } = rest;
  return {
    code,
    ...(typeof generation === "number" && { generation }),
    // Of definitions, controllers write the status whenever they come to it.
    ...(kind !== "CustomResourceDefinition" && { state }),
    ...(kind !== "CustomResourceDefinition" && Array.isArray(managedFields) && { managers: managersOf(managedFields) }),
  };
}

function faultOf({ reason, details }: JsonObject): Pick<WriteAnswer, "reason" | "causes"> {
  const causes = isJsonObject(details) ? details["causes"] : undefined;
  return { ...(typeof reason === "string" && { reason }), ...(causes !== undefined && { causes }) };
}

/** Addresses of memory and the time of the write are another each time. */
function withoutChance(message: string): string {
  return message.replace(/\(0x[0-9a-f]+\)/g, "(0xc000000000)").replace(/Time:time\.Date\([^)]*\)/g, "Time:now");
}

function managersOf(entries: readonly JsonValue[]): readonly string[] {
  return entries
    .filter(isJsonObject)
    .map(({ manager, operation, fieldsV1 }) => `${manager} ${operation} ${JSON.stringify(fieldsV1)}`)
    .sort();
}
