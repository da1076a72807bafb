import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane, ControlPlaneOptions } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import type { StandIn } from "./stand-in.js";

const dayMs = 24 * 60 * 60 * 1000;

/** The namespace of the services in these tests. */
export const namespace = "servers";

/** Starts a server that knows itself as a front proxy, `front-proxy-client`. */
export async function startAggregatingServer(
  flags: readonly string[] = [],
  authorization: ControlPlaneOptions["authorization"] = ["AlwaysAllow"],
): Promise<ControlPlane> {
  const server = await startTestServer({ flags, authorization, flagsFor: ({ caFile }) => proxyFlags(dirname(caFile)) });
  await post(server, "/api/v1/namespaces", { metadata: { name: namespace } });
  return server;
}

async function proxyFlags(folder: string): Promise<readonly string[]> {
  const file = (name: string): string => join(folder, name);
  await writeProxyCertificate(folder, "front-proxy-client");
  return [
    `--requestheader-client-ca-file=${file("proxy-ca.crt")}`,
    "--requestheader-username-headers=X-Remote-User,X-Forwarded-Person",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${file("proxy-client.crt")}`,
    `--proxy-client-key-file=${file("proxy-client.key")}`,
  ];
}

/**
 * Writes the client certificate of the front proxy, and the authority that has issued it, into the folder of the files of a
 * server, where those of before are replaced.
 */
export async function writeProxyCertificate(folder: string, user: string): Promise<void> {
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "proxy-ca" }, ...lifetime });
  const client = await issueCertificate({
    subject: { kind: "client", user, groups: [] },
    issuer: authority,
    ...lifetime,
  });
  await Promise.all([
    writeFile(join(folder, "proxy-ca.crt"), authority.certificatePem),
    writeFile(join(folder, "proxy-client.crt"), client.certificatePem),
    writeFile(join(folder, "proxy-client.key"), client.keyPem, { mode: 0o600 }),
  ]);
}

/** Creates an object. Fails unless it is created. */
export async function post(server: ControlPlane, path: string, object: object): Promise<void> {
  const { status, body } = await server.client.requestJson({
    method: "POST",
    path,
    body: object,
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  if (status !== 201) {
    throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  }
}

/** Reads a JSON document. */
export async function getJson(server: ControlPlane, path: string, accept = "application/json"): Promise<unknown> {
  const { body } = await server.client.requestJson({
    path,
    headers: { accept },
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  return body;
}

/** Settings of `registerGroup` beside those that a stand-in gives. */
export interface Registration {
  readonly group: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  /** The authority to trust instead of the stand-in's own. */
  readonly caBundle?: string;
}

/**
 * Registers the group version of a stand-in by a service of this machine: ExternalName leads to it without kube-proxy, as
 * with kube-apiserver.
 */
export async function registerGroup(
  server: ControlPlane,
  standIn: Pick<StandIn, "authority" | "port">,
  registration: Registration,
): Promise<void> {
  const { group, version = "v1", groupPriorityMinimum = 2000, versionPriority = 10, caBundle } = registration;
  const name = group.replaceAll(".", "-");
  await server.client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/services`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name }, spec: { type: "ExternalName", externalName: "localhost" } }),
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  await post(server, "/apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum,
      versionPriority,
      caBundle: Buffer.from(caBundle ?? standIn.authority).toString("base64"),
      service: { namespace, name, port: standIn.port },
    },
  });
}

/** The condition `Available` of an APIService. */
export interface Available {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Waits until the condition `Available` of an APIService is as wanted. */
export async function untilAvailable(
  server: ControlPlane,
  name: string,
  isWanted: (condition: Available) => boolean = ({ status }) => status === "True",
): Promise<Available> {
  return await until(`the APIService ${name} is as wanted`, async () => {
    const object = (await getJson(server, `/apis/apiregistration.k8s.io/v1/apiservices/${name}`)) as {
      readonly status?: { readonly conditions?: readonly Available[] };
    };
    const condition = object.status?.conditions?.[0];
    return condition !== undefined && isWanted(condition) && condition;
  });
}
