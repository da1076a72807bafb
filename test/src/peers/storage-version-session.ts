import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { Answer, ApiClient } from "../spec/support/api-client.js";
import { until } from "../support/until.js";

/** The flags by which servers tell each other in which versions they store objects. */
export const storageVersionFlags = [
  "--feature-gates=StorageVersionAPI=true",
  "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true",
];

/** A fact about StorageVersions, as v1.29 answers or as it comes to be. */
export interface StorageVersionFact {
  readonly name: string;
  readonly value: unknown;
}

const api = "/apis/internal.apiserver.k8s.io/v1alpha1";
const versions = `${api}/storageversions`;
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const tables = "application/json;as=Table;g=meta.k8s.io;v=v1";

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "widgets", kind: "Widget" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

/** Asks a server, and plays other servers that register and go. The server must have been started with the flags above. */
export async function askAboutStorageVersions(client: ApiClient): Promise<readonly StorageVersionFact[]> {
  const facts: StorageVersionFact[] = [];
  const note = (name: string, value: unknown): void => {
    facts.push({ name, value });
  };
  const ready = await client.get("/readyz?verbose");
  note(
    "the health check of the registration",
    ready.text.split("\n").filter((line) => line.includes("storage-version")),
  );
  note("discovery", (await client.get(api)).document);
  const pods = await client.get(`${versions}/core.pods`);
  const server = textAt(listAt(pods.document as JsonObject, "status", "storageVersions")[0], "apiServerID");
  const shown = (answer: Answer): unknown => plain(answer, server);
  for (const name of ["core.pods", "core.events", "apps.deployments", "internal.apiserver.k8s.io.storageversions"]) {
    note(`the entry of ${name}`, shown(await client.get(`${versions}/${name}`)));
  }
  note("events in their second group", (await client.get(`${versions}/events.k8s.io.events`)).document);
  note("the table", tableOf(await client.get(`${versions}/core.pods`, { accept: tables }), server));

  await client.post(definitions, widgets);
  const path = "/apis/example.com/v1/namespaces/default/widgets";
  // The namespace may still be to come, and another worker may not have heard of the definition yet.
  const widget = await until("widgets are served", async () => {
    const answer = await client.post(path, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } });
    return answer.status === 404 ? undefined : answer;
  });
  note("a custom object is written", widget.status);
  note("custom resources are not registered", (await client.get(`${versions}/example.com.widgets`)).document);
  await client.delete(`${definitions}/widgets.example.com`);

  // Another server that stores something else, and goes.
  const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  const spec = {
    holderIdentity: "apiserver-other_1",
    leaseDurationSeconds: 3600,
    renewTime: "2099-01-01T00:00:00.000000Z",
  };
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "apiserver-other", labels },
    spec,
  };
  note("the lease of another server", (await client.post(leases, lease)).status);
  const both = await setServers(client, "core.pods", (servers) => [...servers, entryOf("apiserver-other", "v2")]);
  note("servers that disagree", shown(both));
  note("their table", tableOf(await client.get(`${versions}/core.pods`, { accept: tables }), server));
  await client.delete(`${leases}/apiserver-other`);
  await until("the entry of the server is collected", async () => {
    const { document } = await client.get(`${versions}/core.pods`);
    return listAt(document as JsonObject, "status", "storageVersions").length === 1;
  });
  note("after the other server has gone", shown(await client.get(`${versions}/core.pods`)));

  // A server that nobody knows.
  const body = {
    apiVersion: "internal.apiserver.k8s.io/v1alpha1",
    kind: "StorageVersion",
    metadata: { name: "a.b" },
    spec: {},
  };
  note("a StorageVersion without servers", shown(await client.post(versions, { ...body, status: {} })));
  const unknown = await setServers(client, "a.b", () => [entryOf("apiserver-unknown", "v1")], {
    commonEncodingVersion: "v1",
  });
  note("a server without a lease", shown(unknown));
  let last: Answer | undefined;
  await until("the StorageVersion is collected", async () => {
    last = await client.get(`${versions}/a.b`);
    return last.status === 404;
  });
  note("after the server without a lease", last?.document);
  return facts;
}

function entryOf(apiServerID: string, encodingVersion: string): JsonObject {
  return { apiServerID, encodingVersion, decodableVersions: [encodingVersion], servedVersions: [encodingVersion] };
}

/** Changes what servers say in a StorageVersion, again when another has changed it meanwhile. */
async function setServers(
  client: ApiClient,
  name: string,
  revise: (servers: readonly JsonValue[]) => JsonValue[],
  more: JsonObject = {},
): Promise<Answer> {
  for (;;) {
    const object = structuredClone((await client.get(`${versions}/${name}`)).document) as JsonObject;
    const { commonEncodingVersion: _common, ...status } = objectAt(object, "status");
    object["status"] = { ...status, storageVersions: revise(listAt(object, "status", "storageVersions")), ...more };
    const answer = await client.put(`${versions}/${name}/status`, object);
    if (answer.status !== 409) {
      return answer;
    }
  }
}

/** Returns an object without what is different each time. */
function plain({ status, document }: Answer, server: string): unknown {
  const object = structuredClone(document) as JsonObject;
  const metadata = objectAt(object, "metadata");
  for (const member of ["uid", "resourceVersion", "creationTimestamp"]) {
    delete metadata[member];
  }
  const text = JSON.stringify(object)
    .replaceAll(server, "SERVER")
    .replace(/"\d{4}-\d\d-\d\dT[\d:]+Z"/g, '"TIME"');
  return { status, object: JSON.parse(text) };
}

function tableOf({ document }: Answer, server: string): unknown {
  const table = document as unknown as {
    columnDefinitions: readonly { name: string; type: string; format: string; priority: number }[];
    rows: readonly { cells: readonly unknown[] }[];
  };
  return {
    columns: table.columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority]),
    // The last cell is the age.
    cells: table.rows.map(({ cells }) => cells.slice(0, -1).map((cell) => String(cell).replaceAll(server, "SERVER"))),
  };
}
