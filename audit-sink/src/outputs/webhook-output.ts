import { randomUUID } from "node:crypto";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { auditSequenceHeader, auditSourceHeader } from "@gatehouse/envelopes/audit-headers";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { WebhookOutputConfig } from "../config/output-config.js";
import { allDelivered, type Output, type OutputContext } from "./output.js";
import { postBatch } from "./post-batch.js";

const listBegin = Buffer.from('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[');
const comma = Buffer.from(",");
const listEnd = Buffer.from("]}");

/**
 * Posts events as EventLists to the server that a kubeconfig names, as an API server does to its audit webhook. Another sink
 * leaves out what it has already, and sees by their numbers whether any are missing.
 */
export async function openWebhookOutput(config: WebhookOutputConfig, { state }: OutputContext): Promise<Output> {
  let { source, sequence } = numbersIn(state);
  const client = createHttpClient({
    config: await loadKubeconfig(config.kubeConfigFile),
    userAgent: "gatehouse-audit-sink",
  });
  return {
    async deliver({ events }, signal) {
      const items = events.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
      const headers = { [auditSourceHeader]: source, [auditSequenceHeader]: String(sequence) };
      await postBatch({ client, headers, body: Buffer.concat([listBegin, ...items, listEnd]), signal });
      sequence += events.length;
      return allDelivered;
    },
    state: () => ({ source, sequence }),
    async close() {
      client[Symbol.dispose]();
    },
  };
}

/** The numbers go on where they were; without them, others begin, and so does another source. */
function numbersIn(state: JsonValue | undefined): { source: string; sequence: number } {
  const { source, sequence } = isJsonObject(state) ? state : {};
  return typeof source === "string" && typeof sequence === "number"
    ? { source, sequence }
    : { source: randomUUID(), sequence: 0 };
}
