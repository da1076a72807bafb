import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Answer, ApiClient } from "../spec/support/api-client.js";
import { until } from "../support/until.js";

/** A fact about requests that are passed on to another API server, as v1.29 answers. */
export interface PeerFact {
  readonly name: string;
  readonly value: unknown;
}

/** The flags of both servers. */
const shared = "--feature-gates=StorageVersionAPI=true,UnknownVersionInteroperabilityProxy=true";
const api = "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true";
/** The server that is asked. Everybody may do everything there. */
export const askedFlags: readonly string[] = [shared, api];
/** The server that serves a version more. It authorizes by roles. */
export const peerFlags: readonly string[] = [
  `${shared},VolumeAttributesClass=true`,
  `${api},storage.k8s.io/v1alpha1=true`,
];

/** The servers, as the session sees them. */
export interface PeerServers {
  /** An administrator at the server that is asked. */
  readonly admin: ApiClient;
  /** The user jane in the group developers there. */
  readonly jane: ApiClient;
  /** Ends the other server at once, so that it cannot tell anybody. */
  readonly killPeer: () => Promise<unknown>;
}

const version = "/apis/storage.k8s.io/v1alpha1";
const classes = `${version}/volumeattributesclasses`;
const tables = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
const gold = {
  apiVersion: "storage.k8s.io/v1alpha1",
  kind: "VolumeAttributesClass",
  metadata: { name: "gold" },
  driverName: "d",
  parameters: { a: "b" },
};

/** Sends requests for what only the other server serves, and ends that one. */
export async function askAboutPeers({ admin, jane, killPeer }: PeerServers): Promise<readonly PeerFact[]> {
  const facts: PeerFact[] = [];
  const note = (name: string, value: unknown): void => {
    facts.push({ name, value });
  };
  const ready = await admin.get("/readyz?verbose");
  note(
    "the health checks",
    ready.text.split("\n").filter((line) => /peer-endpoint|unknown-version/.test(line)),
  );
  await until("requests are passed on", async () => (await admin.get(classes)).status === 200);
  const before = await rerouted(admin);
  note("a list", shown(await admin.get(classes)));
  note("an invalid object", shown(await admin.post(classes, { ...gold, parameters: {} })));
  note("a new object", shown(await admin.post(classes, gold)));
  note("the object", shown(await admin.get(`${classes}/gold`)));
  note("a table", cellsOf(await admin.get(`${classes}/gold`, tables)));
  note(
    "a patch",
    shown(await admin.patch(`${classes}/gold`, "application/merge-patch+json", { metadata: { labels: { a: "b" } } })),
  );
  const watch = await admin.get(`${classes}?watch=1&timeoutSeconds=1`);
  note("a watch", [watch.status, watch.text.match(/^\{"type":"[A-Z]+"/gm)]);
  note("another user", shown(await jane.get(classes)));
  note(
    "another user who claims to be a third",
    shown(await jane.get(classes, { "x-remote-user": "root", "x-remote-group": "system:masters" })),
  );
  note("an impersonated user", shown(await admin.get(classes, { "impersonate-user": "bob" })));
  note("a request that was passed on once", shown(await admin.get(classes, { "x-kubernetes-peer-proxied": "true" })));
  note(
    "a request that says that it was not passed on",
    shown(await admin.get(`${classes}/gold`, { "x-kubernetes-peer-proxied": "false" })),
  );
  note("discovery of the version", shown(await admin.get(version)));
  note("a version that nobody serves", shown(await admin.get("/apis/storage.k8s.io/v9/volumeattributesclasses")));
  note("a resource that nobody serves", shown(await admin.get(`${version}/nothings`)));
  note("a deletion", shown(await admin.delete(`${classes}/gold`)));
  note("the counts", difference(await rerouted(admin), before));
  await killPeer();
  let last: Answer | undefined;
  // The first request may find a connection that breaks.
  await until("connections are refused", async () => {
    last = await admin.get(classes);
    return last.text.includes("connection refused");
  });
  note("a server that cannot be reached", last && shown(last));
  await until("the address of the server is not told any more", async () => {
    last = await admin.get(classes);
    return last.headers["content-type"] === "application/json";
  });
  note("a server whose address is not told", last && shown(last));
  return facts;
}

/** Returns an answer without what is different each time. */
function shown({ status, headers, text }: Answer): unknown {
  const type = headers["content-type"];
  if (type !== "application/json") {
    return { status, type, text: text.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:PORT") };
  }
  const object = JSON.parse(text) as JsonObject;
  const metadata = (object["metadata"] ?? {}) as JsonObject;
  for (const member of ["uid", "resourceVersion", "creationTimestamp", "managedFields"]) {
    delete metadata[member];
  }
  const details = (object["details"] ?? {}) as JsonObject;
  delete details["uid"];
  return { status, type, object };
}

function cellsOf({ document }: Answer): unknown {
  const { columnDefinitions, rows } = document as unknown as {
    columnDefinitions: readonly { name: string }[];
    rows: readonly { cells: readonly unknown[] }[];
  };
  // The last cell is the age.
  return [columnDefinitions.map(({ name }) => name), rows.map(({ cells }) => cells.slice(0, -1))];
}

/** Returns the numbers of requests that were passed on, by the code of their answers. */
async function rerouted(client: ApiClient): Promise<Readonly<Record<string, number>>> {
  const { text } = await client.get("/metrics");
  const samples = text.matchAll(/^apiserver_rerouted_request_total\{code="(\d+)"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, code = "", count]) => [code, Number(count)]));
}

function difference(after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): unknown {
  return Object.fromEntries(Object.entries(after).map(([code, count]) => [code, count - (before[code] ?? 0)]));
}
