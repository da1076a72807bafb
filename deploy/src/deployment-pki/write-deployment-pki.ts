import { isIP } from "node:net";
import { type CertificateAndKey, type CertificateSubject, ensurePrivateKey } from "@gatehouse/component-base/pki";
import {
  administratorGroup,
  administratorName,
  auditReaderName,
  auditSenderName,
  privilegedGroup,
  superAdministratorName,
  webhookCallerName,
} from "../identities.js";
import { type CalledServer, calledServers } from "./called-servers.js";
import { type Holder, openHolder } from "./holder.js";

/** Folder of the certificates, and the addresses at which they will be used. */
export interface DeploymentPkiOptions {
  /** Gets a folder for each holder. */
  readonly directory: string;
  /** URL at which people reach the API server. */
  readonly apiServer: URL;
  /** Host at which the API server reaches the others. Default: each at the name of its program. */
  readonly host?: string | undefined;
}

/** Names under which pods know the API server of their cluster; 10.96.0.1 is the first address for services. */
const clusterNames = [
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "10.96.0.1",
];

/**
 * Makes what is missing or ends soon, for each process and person what they need and nothing else. There are two
 * authorities: one for the processes among themselves, and one for those who log in at the API server. So what the API
 * server signs for somebody is never good for calling another process, and no process can log in at the API server. The
 * key of the first stays in `authorities`; the API server gets that of the second, since it signs approved requests.
 */
export async function writeDeploymentPki(options: DeploymentPkiOptions): Promise<void> {
  const { directory } = options;
  const authorities = await openHolder(directory, "authorities");
  const [processes, cluster] = await Promise.all([
    authorities.certificate("processes-ca", { kind: "authority", commonName: "gatehouse-processes" }),
    authorities.certificate("cluster-ca", { kind: "authority", commonName: "gatehouse-cluster" }),
  ]);
  await Promise.all([
    writeApiServer(await openHolder(directory, "apiserver"), options, processes, cluster),
    ...calledServers.map(async ({ name }) => {
      const holder = await openHolder(directory, name);
      await holder.write("processes-ca.crt", processes.certificatePem);
      await holder.certificate("tls", serverSubject(name, [hostOf(name, options)]), processes);
    }),
    writeAdministrator(await openHolder(directory, "administrator"), options, processes, cluster),
    writeAuditReader(await openHolder(directory, "audit-reader"), options, processes),
  ]);
}

async function writeApiServer(
  holder: Holder,
  options: DeploymentPkiOptions,
  processes: CertificateAndKey,
  cluster: CertificateAndKey,
): Promise<void> {
  await holder.write("processes-ca.crt", processes.certificatePem);
  await holder.write("cluster-ca.crt", cluster.certificatePem);
  await holder.write("cluster-ca.key", cluster.keyPem);
  await ensurePrivateKey(holder.fileOf("service-accounts.key"), "rsa");
  await holder.certificate("tls", serverSubject("apiserver", [options.apiServer.hostname, ...clusterNames]), processes);
  const [webhookCaller, auditSender] = await Promise.all([
    holder.certificate("webhook-caller", clientSubject(webhookCallerName), processes),
    holder.certificate("audit-sender", clientSubject(auditSenderName), processes),
  ]);
  // Says who the API server is; where admission webhooks are, their configurations say.
  await holder.kubeconfig("admission", {
    server: "https://localhost",
    authority: processes,
    userName: "*",
    credential: webhookCaller,
  });
  for (const server of calledServers.filter(({ path }) => path !== undefined)) {
    await holder.kubeconfig(server.name, {
      server: addressOf(server, options),
      authority: processes,
      userName: "apiserver",
      credential: server.name === "audit-sink" ? auditSender : webhookCaller,
    });
  }
}

async function writeAdministrator(
  holder: Holder,
  { apiServer }: DeploymentPkiOptions,
  processes: CertificateAndKey,
  cluster: CertificateAndKey,
): Promise<void> {
  const server = apiServer.origin;
  const write = async (name: string, user: string, group: string): Promise<void> => {
    // Client libraries that people use do not all read EC keys.
    const credential = await holder.certificate(name, clientSubject(user, [group]), cluster, "rsa");
    await holder.kubeconfig(name, { server, authority: processes, userName: user, credential });
  };
  await Promise.all([
    write("admin", administratorName, administratorGroup),
    write("super-admin", superAdministratorName, privilegedGroup),
  ]);
}

async function writeAuditReader(
  holder: Holder,
  options: DeploymentPkiOptions,
  processes: CertificateAndKey,
): Promise<void> {
  const credential = await holder.certificate("audit-reader", clientSubject(auditReaderName), processes);
  const sink = calledServers.find(({ name }) => name === "audit-sink");
  if (sink !== undefined) {
    const server = new URL(addressOf(sink, options)).origin;
    await holder.kubeconfig("audit", { server, authority: processes, userName: auditReaderName, credential });
  }
}

function hostOf(name: string, { host }: DeploymentPkiOptions): string {
  return host ?? `gatehouse-${name}`;
}

function addressOf({ name, port, path = "" }: CalledServer, options: DeploymentPkiOptions): string {
  const host = hostOf(name, options);
  return `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}${path}`;
}

/** A server answers to the name of its program, too, and to itself: health is asked for there. */
function serverSubject(name: string, hosts: readonly string[]): CertificateSubject {
  const program = `gatehouse-${name}`;
  const all = [...new Set(["localhost", "127.0.0.1", program, ...hosts.map((host) => host.replace(/^\[|\]$/g, ""))])];
  return {
    kind: "server",
    commonName: program,
    dnsNames: all.filter((host) => isIP(host) === 0),
    ipAddresses: all.filter((host) => isIP(host) !== 0),
  };
}

function clientSubject(user: string, groups: readonly string[] = []): CertificateSubject {
  return { kind: "client", user, groups };
}
