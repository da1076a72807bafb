import type { Answer, ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { until } from "../support/until.js";

/** The flags of the servers that are asked. */
export const sessionFlags: readonly string[] = [
  "--feature-gates=MultiCIDRServiceAllocator=true",
  "--runtime-config=networking.k8s.io/v1alpha1=true",
  "--service-cluster-ip-range=10.0.0.0/28,fd00::/112",
  "--disable-admission-plugins=ServiceAccount",
];

/** An answer of the session, without what differs from run to run. */
export interface SessionAnswer {
  readonly name: string;
  readonly status: number;
  readonly part: unknown;
}

const group = "/apis/networking.k8s.io/v1alpha1";
const services = "/api/v1/namespaces/default/services";
const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** Answers of servers that are waited for, since controllers give them. */
type IsReached = (answer: Answer) => boolean;

const exists: IsReached = ({ status }) => status === 200;
const isGone: IsReached = ({ status }) => status === 404;
const says =
  (text: string): IsReached =>
  (answer) =>
    answer.status === 200 && answer.text.includes(text);

/** Sends the session to a server whose store is empty. */
export async function serviceCidrSession(client: ApiClient): Promise<readonly SessionAnswer[]> {
  const answers: SessionAnswer[] = [];
  const note = (name: string, answer: Answer, part: (answer: Answer) => unknown = stablePart): void => {
    answers.push({ name, status: answer.status, part: part(answer) });
  };
  const get = async (name: string, path: string, isReached?: IsReached): Promise<void> => {
    const answer = await until(name, async () => {
      const seen = await client.get(path);
      return isReached === undefined || isReached(seen) ? seen : undefined;
    });
    note(name, answer);
  };
  /**
   * Notes an IPAddress after a change of its Service, at which v1.29 repairs it: v1.29 may have removed one of a Service that
   * was just being updated.
   */
  const getAfterRepair = async (name: string, own: string, path: string): Promise<void> => {
    await client.patch(`${services}/${own}`, "application/merge-patch+json", {
      metadata: { labels: { looked: "at" } },
    });
    await get(name, path, exists);
  };
  const create = async (name: string, spec: object, query = "", own = "s"): Promise<void> =>
    note(name, await client.post(`${services}${query}`, service(own, spec)), specPart);
  const patch = async (name: string, own: string, change: object): Promise<void> =>
    note(name, await client.patch(`${services}/${own}`, "application/merge-patch+json", change), specPart);
  const remove = async (name: string, path: string): Promise<void> =>
    note(name, await client.delete(path), ({ document }) => document["kind"]);
  const makeCidr = async (own: string, cidr: string): Promise<void> => {
    await client.post(`${group}/servicecidrs`, {
      apiVersion: "networking.k8s.io/v1alpha1",
      kind: "ServiceCIDR",
      metadata: { name: own },
      spec: { cidrs: [cidr] },
    });
    await get(`the ServiceCIDR ${own}`, `${group}/servicecidrs/${own}`, says("Service CIDR is ready"));
  };
  const makeIpAddress = (address: string, parentRef: object): Promise<Answer> =>
    client.post(`${group}/ipaddresses`, {
      apiVersion: "networking.k8s.io/v1alpha1",
      kind: "IPAddress",
      metadata: {
        name: address,
        labels: {
          "ipaddress.kubernetes.io/ip-family": "IPv4",
          "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
        },
      },
      spec: { parentRef },
    });
  const ipAddress = (address: string): string => `${group}/ipaddresses/${address}`;

  // What every cluster has.
  await get("the ServiceCIDR kubernetes", `${group}/servicecidrs/kubernetes`, says("Kubernetes Service CIDR is ready"));
  await get("the address of the Service kubernetes", ipAddress("10.0.0.1"), exists);
  note(
    "the checks of a server",
    await client.get("/readyz?verbose"),
    ({ text }) => /^.*service-cidr.*$/m.exec(text)?.[0],
  );

  // Addresses that are asked for.
  await create("an address", { clusterIP: "10.0.0.5" });
  await get("an IPAddress", ipAddress("10.0.0.5"), exists);
  await create("an address that is taken", { clusterIP: "10.0.0.5" }, "", "t");
  await create("an address of no range", { clusterIP: "10.0.9.9" }, "", "t");
  await create("the address of the network", { clusterIP: "10.0.0.0" }, "", "t");
  await create("the broadcast address", { clusterIP: "10.0.0.15" }, "", "t");
  await create("a dry run", {}, "?dryRun=All", "t");
  await create("a dry run for an address that is taken", { clusterIP: "10.0.0.5" }, "?dryRun=All", "t");
  await create("a dry run for an address of no range", { clusterIP: "10.0.9.9" }, "?dryRun=All", "t");
  await create("a dry run for the broadcast address", { clusterIP: "10.0.0.15" }, "?dryRun=All", "t");
  await create("a headless Service", { clusterIP: "None" }, "", "headless");

  // Both families.
  const dual = { ipFamilyPolicy: "RequireDualStack" };
  await create("two addresses", { ...dual, clusterIP: "10.0.0.6", clusterIPs: ["10.0.0.6", "fd00::6"] }, "", "d");
  await get("an IPAddress of IPv6", ipAddress("fd00::6"), exists);
  await create(
    "a second address that is taken",
    { ...dual, clusterIP: "10.0.0.7", clusterIPs: ["10.0.0.7", "fd00::6"] },
    "",
    "t",
  );
  await get("a first address that was given back", ipAddress("10.0.0.7"), isGone);
  await patch("one family less", "d", {
    spec: { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"], clusterIPs: ["10.0.0.6"] },
  });
  await get("a second address that was given back", ipAddress("fd00::6"), isGone);
  await patch("one family more", "d", {
    spec: { ...dual, ipFamilies: ["IPv4", "IPv6"], clusterIPs: ["10.0.0.6", "fd00::8"] },
  });
  await getAfterRepair("a second address", "d", ipAddress("fd00::8"));

  // Services that change, and go.
  await patch("a Service without an address", "s", {
    spec: { type: "ExternalName", externalName: "a.example", clusterIP: null, clusterIPs: null },
  });
  await get("the address that it had", ipAddress("10.0.0.5"), isGone);
  await patch("a Service with an address again", "s", {
    spec: { type: "ClusterIP", externalName: null, clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9"] },
  });
  await getAfterRepair("the address that it has", "s", ipAddress("10.0.0.9"));
  await remove("the end of a Service", `${services}/s`);
  await get("the address of a Service that is gone", ipAddress("10.0.0.9"), isGone);

  // Tables.
  note("a table of IPAddresses", await client.get(`${group}/ipaddresses`, asTable), tablePart);
  note("a table of ServiceCIDRs", await client.get(`${group}/servicecidrs`, asTable), tablePart);

  // More ranges.
  await makeCidr("more", "10.1.0.0/29");
  await makeCidr("inner", "10.0.0.0/29");
  await until("addresses come from the range", async () => {
    const { status } = await client.post(services, service("m", { clusterIP: "10.1.0.2" }));
    return status === 201 || undefined;
  });
  await get("an IPAddress of another range", ipAddress("10.1.0.2"), exists);
  await remove("the end of a range in use", `${group}/servicecidrs/more`);
  await remove("the end of a range inside another one", `${group}/servicecidrs/inner`);
  await get("a range in use that is being deleted", `${group}/servicecidrs/more`, says("Terminating"));
  await until("the range is not used any more", async () => {
    const { status } = await client.post(`${services}?dryRun=All`, service("n", { clusterIP: "10.1.0.3" }));
    return status === 422 || undefined;
  });
  await create("an address of a range that is being deleted", { clusterIP: "10.1.0.3" }, "", "n");
  await remove("the end of the Service with its address", `${services}/m`);
  await get("a range inside another one that is gone", `${group}/servicecidrs/inner`, isGone);
  await get("a range that is gone", `${group}/servicecidrs/more`, isGone);

  // What the repair does.
  await create("a Service whose IPAddress goes", { clusterIP: "10.0.0.10" }, "", "r");
  await get("its IPAddress", ipAddress("10.0.0.10"), exists);
  await client.delete(ipAddress("10.0.0.10"));
  await getAfterRepair("its IPAddress that is made again", "r", ipAddress("10.0.0.10"));
  await makeIpAddress("10.0.0.11", { resource: "pods", namespace: "default", name: "p" });
  await get("an IPAddress that refers to no Service", ipAddress("10.0.0.11"), isGone);
  note("the events of the repair", await client.get("/apis/events.k8s.io/v1/namespaces/default/events"), eventsPart);

  // A full range.
  let full: Answer | undefined;
  let made = 0;
  while (full === undefined) {
    const answer = await client.post(services, service(`f${made}`, {}));
    full = answer.status === 201 ? undefined : answer;
    made += answer.status === 201 ? 1 : 0;
  }
  note("a full range", full);
  note("its addresses", await client.get(`${group}/ipaddresses`), ({ document }) => [
    made,
    (document["items"] as readonly ApiDocument[])
      .map(({ metadata }) => metadata.name ?? "")
      .filter((name) => name.includes("."))
      .sort(),
  ]);

  // The range of every cluster.
  await remove("the end of a Service with an address", `${services}/f0`);
  await remove("the end of the range of every cluster", `${group}/servicecidrs/kubernetes`);
  await get("the range of every cluster, being deleted", `${group}/servicecidrs/kubernetes`, says("Terminating"));
  await until("nothing is allocated", async () => {
    const answer = await client.post(`${services}?dryRun=All`, service("z", {}));
    return answer.status !== 201 || undefined;
  });
  await create("any address without a range", {}, "", "z");
  await create("an address without a range", { clusterIP: "10.0.0.14" }, "", "z");
  await create("a dry run without a range", {}, "?dryRun=All", "z");
  note("metrics of the allocator", await client.get("/metrics"), ({ text }) => text.includes("clusterip_allocator"));
  return answers;
}

function service(name: string, spec: object): object {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

/** Returns an answer without identities and times. */
function stablePart({ document }: Answer): unknown {
  const { metadata = {}, ...rest } = document as { metadata?: Record<string, unknown> };
  const { uid: _uid, resourceVersion: _version, managedFields, ...stable } = metadata;
  return withoutTimes({ metadata: stable, ...rest });
}

/** Returns what an answer has of the spec of a Service; the message of a refusal. */
function specPart({ document }: Answer): unknown {
  if (document["kind"] === "Status") {
    return document["message"];
  }
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, type } = document["spec"] as Record<string, unknown>;
  // Without members that are not there.
  return JSON.parse(JSON.stringify({ type, clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy }));
}

function tablePart({ document }: Answer): unknown {
  const columns = document["columnDefinitions"] as { name: string; type: string }[];
  const rows = document["rows"] as { cells: unknown[] }[];
  return {
    columns: columns.map(({ name, type }) => [name, type]),
    // The last cell of each is the age.
    rows: rows.map(({ cells }) => cells.slice(0, -1)),
  };
}

interface EventDocument {
  readonly regarding: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly name: string;
    readonly namespace?: string;
  };
  readonly [member: string]: unknown;
}

/** Returns the events about the objects that the session has damaged. */
function eventsPart({ document }: Answer): unknown {
  const items = document["items"] as unknown as readonly EventDocument[];
  return items
    .filter(({ regarding }) => ["r", "10.0.0.11"].includes(regarding.name))
    .map(({ regarding, reason, note, type, action, reportingController }) => {
      const { kind, apiVersion, name, namespace = "none" } = regarding;
      return { about: [kind, apiVersion, namespace, name], reason, note, type, action, reportingController };
    })
    .sort((a, b) => a.about.join().localeCompare(b.about.join()));
}

function withoutTimes(value: object): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"\d{4}-\d\d-\d\dT[\d:]+Z"/g, '"TIME"'));
}
