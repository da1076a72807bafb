import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { version } from "@gatehouse/component-base/version";
import { encodeStoredJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { OtlpOutputConfig } from "../../config/output-config.js";
import type { Output } from "../output.js";
import { postBatch } from "../post-batch.js";
import { logRecordOf, text } from "./log-record.js";

/** Posts events as logs to a collector of OpenTelemetry: OTLP over HTTP, in JSON. */
export async function openOtlpOutput(config: OtlpOutputConfig): Promise<Output> {
  const client = createHttpClient({
    config: await loadKubeconfig(config.kubeConfigFile),
    userAgent: "gatehouse-audit-sink",
  });
  const attributes = Object.entries({ "service.name": "gatehouse-audit-sink", ...config.resourceAttributes });
  const resource = { attributes: attributes.flatMap(([key, value]) => text(key, value)) };
  const scope = { name: "gatehouse-audit-sink", version };
  return {
    async deliver({ events }, signal) {
      const scopeLogs = [{ scope, logRecords: events.map(logRecordOf) }];
      const body = Buffer.from(encodeStoredJson({ resourceLogs: [{ resource, scopeLogs }] }));
      const answer = await postBatch({ client, path: config.path, body, signal });
      return { rejected: rejectedOf(answer.body) };
    },
    async close() {
      client[Symbol.dispose]();
    },
  };
}

/** Returns the number of records that the collector has dropped of an accepted request. It does not say which. */
function rejectedOf(body: Buffer): number {
  let answer: JsonValue;
  try {
    answer = JSON.parse(body.toString()) as JsonValue;
  } catch {
    return 0;
  }
  const partial = isJsonObject(answer) ? answer["partialSuccess"] : undefined;
  // 64-bit integers are text in this JSON.
  const rejected = isJsonObject(partial) ? Number(partial["rejectedLogRecords"] ?? 0) : 0;
  return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
}
