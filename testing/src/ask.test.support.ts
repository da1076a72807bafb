import type { ClusterAccess } from "./cluster-access.js";

/** An answer with the members of an object or a Status that tests look at. */
export interface Answer {
  readonly status: number;
  readonly body: {
    readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly creationTimestamp: string };
    readonly data?: object;
    readonly reason?: string;
    readonly message?: string;
    readonly items?: readonly object[];
    readonly rules?: readonly object[];
    readonly status?: unknown;
  };
}

/** Sends a request as a user, and returns the code and the object of the answer. */
export async function ask(access: ClusterAccess, path: string, method = "GET", body?: object): Promise<Answer> {
  const headers = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  const { signal } = new AbortController();
  const answer = await access.client.requestJson({ method, path, body, headers, signal, timeoutMs: 30_000 });
  return { status: answer.status, body: answer.body as Answer["body"] };
}

/** Returns a ConfigMap for the namespace of its path. */
export function configMap(name: string, data: Record<string, string> = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

/** The path of the ConfigMaps of the namespace `default`. */
export const configMaps = "/api/v1/namespaces/default/configmaps";

/** An event of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: { readonly code?: number; readonly reason?: string; readonly rules?: readonly object[] };
}

/** Reads a watch to its end and returns its events. */
export async function watchToTheEnd(access: ClusterAccess, path: string): Promise<readonly WatchEvent[]> {
  const { signal } = new AbortController();
  const { body } = await access.client.request({ path, signal, timeoutMs: 30_000 });
  const lines = body.toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as WatchEvent);
}
