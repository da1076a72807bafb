import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CertificateAndKey,
  type ClientConfig,
  ensureCertificate,
  ensurePrivateKey,
  formatKubeconfig,
  writeKubeconfig,
} from "@gatehouse/component-base";
import type { DataDir } from "./data-dir.js";
import {
  administratorGroup,
  administratorName,
  auditSenderName,
  privilegedGroup,
  superAdministratorName,
  webhookCallerName,
} from "./identities.js";

/** The names under which pods and people reach the API server; 10.96.0.1 is the first address for services. */
const serverNames = {
  dnsNames: [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ],
  ipAddresses: ["127.0.0.1", "10.96.0.1"],
};

/** The certificates of a local stack and where they are stored. */
export interface LocalPki {
  /** Signs for the processes, and for those who call them. */
  readonly authority: CertificateAndKey;
  readonly admin: CertificateAndKey;
  /** Has every right whatever bindings say, and uses it to make those of `admin`. */
  readonly superAdmin: CertificateAndKey;
  readonly caFile: string;
  /** The authority of those who log in at the API server, which signs requests with it. */
  readonly cluster: CertificateFiles;
  readonly apiServer: CertificateFiles;
  /** What tokens of service accounts are signed with. */
  readonly serviceAccountKeyFile: string;
  readonly admission: CertificateFiles;
  readonly imageReview: CertificateFiles;
  readonly authorization: CertificateFiles;
  readonly tokenReview: CertificateFiles;
  /** As whom the API server calls webhook servers. */
  readonly webhookCaller: CertificateAndKey;
  readonly webhookCallerName: string;
  readonly auditSink: CertificateFiles;
  readonly identityProvider: CertificateFiles;
  /** As whom the API server sends audit events. */
  readonly auditSender: CertificateAndKey;
  readonly auditSenderName: string;
  /** As whom people ask the audit sink. */
  readonly auditReader: CertificateAndKey;
}

/** Where a certificate and its key are stored. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes what is missing or ends soon: an authority, a certificate for each server, for the administrator and for what the API server calls. */
export async function ensureLocalPki(dataDir: DataDir): Promise<LocalPki> {
  const files = (name: string): CertificateFiles => ({
    certFile: join(dataDir.pki, `${name}.crt`),
    keyFile: join(dataDir.pki, `${name}.key`),
  });
  const serviceAccountKeyFile = join(dataDir.pki, "service-accounts.key");
  const [authority, cluster] = await Promise.all([
    ensureCertificate({ subject: { kind: "authority", commonName: "gatehouse-ca" }, ...files("ca") }),
    ensureCertificate({ subject: { kind: "authority", commonName: "gatehouse-cluster" }, ...files("cluster-ca") }),
  ]);
  const client = (
    issuer: CertificateAndKey,
    name: string,
    user: string,
    groups: readonly string[] = [],
  ): Promise<CertificateAndKey> =>
    ensureCertificate({ subject: { kind: "client", user, groups }, issuer, ...files(name) });
  const [admin, superAdmin, webhookCaller, auditSender, auditReader] = await Promise.all([
    client(cluster, "admin", administratorName, [administratorGroup]),
    client(cluster, "super-admin", superAdministratorName, [privilegedGroup]),
    client(authority, "apiserver-webhook-caller", webhookCallerName),
    client(authority, "apiserver-audit", auditSenderName),
    client(authority, "audit-reader", administratorName),
    ensureCertificate({
      subject: { kind: "server", commonName: "kube-apiserver", ...serverNames },
      issuer: authority,
      ...files("apiserver"),
    }),
    ensurePrivateKey(serviceAccountKeyFile),
    ...["admission", "image-review", "authorization", "token-review", "audit-sink", "identity-provider"].map((name) =>
      ensureCertificate({
        subject: { kind: "server", commonName: name, dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
        issuer: authority,
        ...files(name),
      }),
    ),
  ]);
  return {
    authority,
    admin,
    superAdmin,
    caFile: files("ca").certFile,
    cluster: files("cluster-ca"),
    apiServer: files("apiserver"),
    serviceAccountKeyFile,
    admission: files("admission"),
    imageReview: files("image-review"),
    authorization: files("authorization"),
    tokenReview: files("token-review"),
    webhookCaller,
    webhookCallerName,
    auditSink: files("audit-sink"),
    identityProvider: files("identity-provider"),
    auditSender,
    auditSenderName,
    auditReader,
  };
}

/** How an administrator reaches a process of the stack. */
export function adminClientConfig(pki: LocalPki, port: number, administrator = pki.admin): ClientConfig {
  return {
    server: new URL(`https://127.0.0.1:${port}`),
    certificateAuthorityPem: pki.authority.certificatePem,
    clientCertificate: administrator,
    insecureSkipTlsVerify: false,
  };
}

/** Stores the administrator's kubeconfig unless it is already as it should be. */
export async function ensureKubeconfig(dataDir: DataDir, pki: LocalPki, port: number): Promise<void> {
  const content = {
    clusterName: "gatehouse",
    server: `https://127.0.0.1:${port}`,
    certificateAuthorityPem: pki.authority.certificatePem,
    userName: "kubernetes-admin",
    clientCertificatePem: pki.admin.certificatePem,
    clientKeyPem: pki.admin.keyPem,
  };
  const stored = await readFile(dataDir.kubeconfig, "utf8").catch(() => undefined);
  if (stored !== formatKubeconfig(content)) {
    await writeKubeconfig(dataDir.kubeconfig, content);
  }
}
