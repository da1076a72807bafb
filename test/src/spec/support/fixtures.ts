import { randomBytes } from "node:crypto";
import type { ApiClient } from "./api-client.js";
import type { ApiDocument } from "./api-document.js";
import { assertCode } from "./assert-status.js";

/** A namespace of its own for a test. */
export async function freshNamespace(client: ApiClient): Promise<string> {
  const name = `spec-${randomBytes(6).toString("hex")}`;
  assertCode(await client.post("/api/v1/namespaces", { metadata: { name } }), 201);
  return name;
}

export function configMapsPath(namespace: string, name = "", query = ""): string {
  const one = name === "" ? "" : `/${name}`;
  return `/api/v1/namespaces/${namespace}/configmaps${one}${query === "" ? "" : `?${query}`}`;
}

export interface ConfigMapInput {
  readonly data?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** Stores a ConfigMap and returns it. */
export async function createConfigMap(
  client: ApiClient,
  namespace: string,
  name: string,
  input: ConfigMapInput = {},
): Promise<ApiDocument> {
  const { data, ...metadata } = input;
  const answer = await client.post(configMapsPath(namespace), {
    metadata: { name, ...metadata },
    ...(data === undefined ? {} : { data }),
  });
  assertCode(answer, 201);
  return answer.document;
}

/** Changes the data of a ConfigMap and returns it. */
export async function changeConfigMap(
  client: ApiClient,
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
): Promise<ApiDocument> {
  const answer = await client.patch(configMapsPath(namespace, name), "application/merge-patch+json", { data });
  assertCode(answer, 200);
  return answer.document;
}

export async function deleteConfigMap(client: ApiClient, namespace: string, name: string): Promise<void> {
  assertCode(await client.delete(configMapsPath(namespace, name)), 200);
}

export function namesOf(list: ApiDocument): readonly (string | undefined)[] {
  return list.items.map((item) => item.metadata.name);
}

export function versionOf(document: ApiDocument): string {
  const { resourceVersion } = document.metadata;
  if (resourceVersion === undefined) {
    throw new Error(`no resourceVersion: ${JSON.stringify(document).slice(0, 500)}`);
  }
  return resourceVersion;
}
