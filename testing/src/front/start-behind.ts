import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ApiServer } from "@gatehouse/apiserver";
import { type ExtensionProgram, extensionPlugins, startExtensionServer } from "@gatehouse/apiserver/extension";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlaneCertificates } from "../certificates.js";
import type { ControlPlane } from "../control-plane.js";
import type { ControlPlaneOptions } from "../control-plane-options.js";
import { eventually } from "../eventually.js";
import { startControlPlane } from "../start-control-plane.js";

/** Options of `startBehind`. All of them may be left out. */
export interface StartBehindOptions {
  /** The control plane in front. */
  readonly controlPlane?: ControlPlaneOptions;
  /** The folder of the objects of the extension API server; a temporary one when absent. */
  readonly directory?: string;
}

/** An extension API server behind a control plane. Disposal stops both. */
export interface BehindControlPlane extends AsyncDisposable {
  /** The control plane in front: requests for the groups of the extension API server go there. */
  readonly controlPlane: ControlPlane;
  readonly server: ApiServer;
}

const namespace = "extensions";
const dayMs = 24 * 60 * 60 * 1000;
const requestTimeoutMs = 30_000;

/**
 * Starts an extension API server in this process behind a control plane of its own, and registers its groups there. Resolves
 * when requests for them are passed on.
 *
 * @example
 * ```ts
 * await using behind = await startBehind(program);
 * const { body } = await behind.controlPlane.client.requestJson({ path: "/apis/shop.example.com/v1/shirts", ...limits });
 * ```
 */
export async function startBehind(
  program: ExtensionProgram,
  { controlPlane: options = {}, directory }: StartBehindOptions = {},
): Promise<BehindControlPlane> {
  const controlPlane = await startControlPlane({
    ...options,
    flagsFor: async (certificates) => [
      ...(await frontProxyFlags(certificates)),
      ...((await options.flagsFor?.(certificates)) ?? []),
    ],
  });
  let server: ApiServer | undefined;
  const stop = async (): Promise<void> => {
    await server?.[Symbol.asyncDispose]();
    await controlPlane.stop();
  };
  try {
    const { name, admissionPlugins = [], ...rest } = program;
    const front = controlPlane.clientConfig;
    server = await startExtensionServer({
      keyPrefix: `/registry/${name}/`,
      ...rest,
      ...(directory === undefined ? {} : { directory }),
      certificates: { dnsNames: [`${name}.${namespace}.svc`], ...rest.certificates },
      front: { authentication: front, authorization: front, objects: front },
      admission: { plugins: extensionPlugins(admissionPlugins) },
    });
    await register(controlPlane, program, server);
    return { controlPlane, server, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the identity of a front proxy. Returns the flags by which a server shows it to those behind. */
async function frontProxyFlags({ caFile }: ControlPlaneCertificates): Promise<readonly string[]> {
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "front-proxy-ca" }, ...lifetime });
  const { certificatePem, keyPem } = await issueCertificate({
    subject: { kind: "client", user: "front-proxy-client", groups: [] },
    issuer,
    ...lifetime,
  });
  const file = (name: string): string => join(dirname(caFile), name);
  const [authorityFile, certFile, keyFile] = ["ca.crt", "client.crt", "client.key"].map((name) =>
    file(`front-proxy-${name}`),
  ) as [string, string, string];
  await Promise.all([
    writeFile(authorityFile, issuer.certificatePem),
    writeFile(certFile, certificatePem),
    writeFile(keyFile, keyPem, { mode: 0o600 }),
  ]);
  return [
    `--requestheader-client-ca-file=${authorityFile}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${certFile}`,
    `--proxy-client-key-file=${keyFile}`,
  ];
}

/** Leads the requests for the groups of a server there: by a service of this machine, which needs no kube-proxy. */
async function register(
  controlPlane: ControlPlane,
  { name, groups }: ExtensionProgram,
  { port, certificateAuthority }: ApiServer,
): Promise<void> {
  await create(controlPlane, "/api/v1/namespaces", { metadata: { name: namespace } });
  await create(controlPlane, `/api/v1/namespaces/${namespace}/services`, {
    metadata: { name },
    spec: { type: "ExternalName", externalName: "localhost" },
  });
  const versions = groups.flatMap((group) => group.versions.map((version, index) => ({ group, version, index })));
  for (const { group, version, index } of versions) {
    await create(controlPlane, apiServices, {
      metadata: { name: `${version}.${group.name}` },
      spec: {
        group: group.name,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 100 - index,
        caBundle: Buffer.from(certificateAuthority).toString("base64"),
        service: { namespace, name, port },
      },
    });
  }
  await Promise.all(versions.map(({ group, version }) => available(controlPlane, `${version}.${group.name}`)));
}

const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

async function create({ client }: ControlPlane, path: string, body: object): Promise<void> {
  const limits = { signal: AbortSignal.timeout(requestTimeoutMs), timeoutMs: requestTimeoutMs };
  const answer = await client.requestJson({ method: "POST", path, body, ...limits });
  if (answer.status !== 201) {
    throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

interface Conditions {
  readonly status?: { readonly conditions?: readonly { readonly status: string; readonly message: string }[] };
}

function available({ client }: ControlPlane, name: string): Promise<void> {
  return eventually(async () => {
    const limits = { signal: AbortSignal.timeout(requestTimeoutMs), timeoutMs: requestTimeoutMs };
    const { body } = await client.requestJson({ path: `${apiServices}/${name}`, ...limits });
    const condition = (body as Conditions).status?.conditions?.[0];
    if (condition?.status !== "True") {
      throw new Error(`the APIService ${name} is not available: ${condition?.message ?? "nothing is known of it"}`);
    }
  });
}
