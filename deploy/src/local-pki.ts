import { join } from "node:path";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import {
  type CertificateAndKey,
  type CertificateSubject,
  ensureCertificate,
  ensurePrivateKey,
} from "@gatehouse/component-base/pki";
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
  /** The administrator for people's clients, with an RSA key, which every client library reads. */
  readonly admin: Promise<CertificateAndKey>;
  /** Has every right whatever bindings say; the stack itself acts as this one, and makes the bindings of `admin`. */
  readonly superAdmin: CertificateAndKey;
  readonly caFile: string;
  /** The authority of those who log in at the API server, which signs requests with it. */
  readonly cluster: CertificateFiles;
  readonly apiServer: CertificateFiles;
  /** Path of the key that signs tokens of service accounts. */
  readonly serviceAccountKeyFile: string;
  /** The certificate of another server, which is made when it is first asked for: most stacks do not have all servers. */
  ofServer(server: OtherServer): Promise<CertificateFiles>;
  /** The certificate of somebody who calls another server, made in the same way. */
  ofClient(client: OtherClient): Promise<CertificateAndKey>;
}

/** A server beside the API server. */
export type OtherServer =
  | "admission"
  | "image-review"
  | "authorization"
  | "token-review"
  | "audit-sink"
  | "identity-provider";

/**
 * Clients beside people and servers: the API server as caller of webhooks and as sender of audit events, and the audit
 * reader.
 */
export type OtherClient = keyof typeof otherClients;

/** User names of the other clients. */
const otherClients = {
  "apiserver-webhook-caller": webhookCallerName,
  "apiserver-audit": auditSenderName,
  "audit-reader": administratorName,
} as const;

/** Paths of a certificate and its key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Makes what is missing or ends soon: the authorities, and what the API server and its administrators need. `note` gets a
 * sentence for people when the administrator's certificate is replaced.
 */
export async function ensureLocalPki(dataDir: DataDir, note: (sentence: string) => void): Promise<LocalPki> {
  const files = (name: string): CertificateFiles => ({
    certFile: join(dataDir.pki, `${name}.crt`),
    keyFile: join(dataDir.pki, `${name}.key`),
  });
  const serviceAccountKeyFile = join(dataDir.pki, "service-accounts.key");
  const makingServiceAccountKey = ensurePrivateKey(serviceAccountKeyFile, "ec");
  makingServiceAccountKey.catch(() => {}); // told where it is waited for
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
  const server = (name: string, subject: Omit<ServerSubject, "kind">): Promise<CertificateAndKey> =>
    ensureCertificate({ subject: { kind: "server", ...subject }, issuer: authority, ...files(name) });
  const admin = ensureAdministrator(cluster, files("admin"), note);
  admin.catch(() => {}); // told where it is waited for
  const [superAdmin] = await Promise.all([
    client(cluster, "super-admin", superAdministratorName, [privilegedGroup]),
    server("apiserver", { commonName: "kube-apiserver", ...serverNames }),
    makingServiceAccountKey,
  ]);
  const clients = new Map<OtherClient, Promise<CertificateAndKey>>();
  return {
    authority,
    admin,
    superAdmin,
    caFile: files("ca").certFile,
    cluster: files("cluster-ca"),
    apiServer: files("apiserver"),
    serviceAccountKeyFile,
    async ofServer(name) {
      await server(name, { commonName: name, dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
      return files(name);
    },
    ofClient(name) {
      // Several parts need the same one at the same time.
      const made = clients.get(name) ?? client(authority, name, otherClients[name]);
      clients.set(name, made);
      return made;
    },
  };
}

/** Makes an RSA key where there is none, which takes a while: nothing but the kubeconfig has to wait for it. */
async function ensureAdministrator(
  issuer: CertificateAndKey,
  files: CertificateFiles,
  note: (sentence: string) => void,
): Promise<CertificateAndKey> {
  const subject = { kind: "client", user: administratorName, groups: [administratorGroup] } as const;
  const ensured = await ensureCertificate({ subject, issuer, keyType: "rsa", ...files });
  if (ensured.replaced) {
    note(`The certificate of ${administratorName} was made anew: ${ensured.issuedBecause}.`);
  }
  return ensured;
}

type ServerSubject = Extract<CertificateSubject, { kind: "server" }>;

/** Returns the way in which the stack itself reaches one of its processes: as the administrator that needs no bindings. */
export function adminClientConfig(pki: LocalPki, port: number): ClientConfig {
  return {
    server: new URL(`https://127.0.0.1:${port}`),
    certificateAuthorityPem: pki.authority.certificatePem,
    clientCertificate: pki.superAdmin,
    insecureSkipTlsVerify: false,
  };
}
