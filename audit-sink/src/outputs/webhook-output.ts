import { createHttpClient, loadKubeconfig } from "@gatehouse/component-base";
import type { WebhookOutputConfig } from "../config/output-config.js";
import { allDelivered, type Output } from "./output.js";
import { postBatch } from "./post-batch.js";

const listBegin = Buffer.from('{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[');
const comma = Buffer.from(",");
const listEnd = Buffer.from("]}");

/**
 * Posts events as EventLists to the server that a kubeconfig names, as an API server does to its audit webhook. Another sink
 * leaves out what it has already.
 */
export async function openWebhookOutput(config: WebhookOutputConfig): Promise<Output> {
  const client = createHttpClient({
    config: await loadKubeconfig(config.kubeConfigFile),
    userAgent: "gatehouse-audit-sink",
  });
  return {
    async deliver({ events }, signal) {
      const items = events.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
      await postBatch({ client, body: Buffer.concat([listBegin, ...items, listEnd]), signal });
      return allDelivered;
    },
    async close() {
      client[Symbol.dispose]();
    },
  };
}
