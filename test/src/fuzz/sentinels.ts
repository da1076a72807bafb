import type { HttpClient } from "@gatehouse/component-base/http-client";
import { collectionPath, fuzzNamespaces, sentinelNamespace } from "./targets.js";
import { fuzzTargets } from "./templates.js";

const asked = { signal: new AbortController().signal, timeoutMs: 60_000 };

/** Makes the namespaces, and one object of every namespaced kind in the one that no request is meant for. */
export async function createSentinels(client: HttpClient): Promise<void> {
  for (const name of [...fuzzNamespaces, sentinelNamespace]) {
    await create(client, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (const target of fuzzTargets) {
    if (target.namespaced) {
      const object = structuredClone(target.object);
      object["metadata"] = { name: "kept", labels: { kept: "yes" } };
      if (target.resource === "events") {
        object["involvedObject"] = { kind: "Pod", namespace: sentinelNamespace, name: "kept" };
      }
      await create(client, collectionPath(target, sentinelNamespace), object);
    }
  }
}

/** Returns the objects of the sentinel namespace, as text. */
export async function readSentinels(client: HttpClient): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const target of fuzzTargets) {
    if (target.namespaced) {
      const path = collectionPath(target, sentinelNamespace);
      const { status, body } = await client.request({ ...asked, path });
      const list = status === 200 ? (JSON.parse(body.toString()) as { items: unknown }) : { items: `status ${status}` };
      found[target.resource] = JSON.stringify(list.items);
    }
  }
  return found;
}

async function create(client: HttpClient, path: string, body: unknown): Promise<void> {
  const answer = await client.requestJson({ ...asked, method: "POST", path, body });
  if (answer.status !== 201) {
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer)}`);
  }
}
