import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CertificateAndKey, type CertificateSubject, issueCertificate } from "@gatehouse/component-base/pki";

const dayMs = 24 * 60 * 60 * 1000;

/** Issuer of the tokens of service accounts, unless flags name another. */
export const serviceAccountIssuer = "https://kubernetes.default.svc";

/** Certificates of one control plane, or of another process to test: an authority of its own, which signs those of the server and of clients. */
export interface ControlPlaneCertificates {
  readonly authority: CertificateAndKey;
  /** Paths of PEM files. */
  readonly caFile: string;
  readonly serverCertFile: string;
  /** Mode 0600; tokens of service accounts are signed with this key, too. */
  readonly serverKeyFile: string;
  /** Paths of PEM files by which a server is known to kubelets; the key has mode 0600. */
  readonly kubeletClientCertFile: string;
  readonly kubeletClientKeyFile: string;
  /** Flags that let a server issue tokens of service accounts as `serviceAccountIssuer`, signed with the server's key. */
  readonly serviceAccountFlags: readonly string[];
  /** Issues a client certificate that authenticates as `user` in `groups`. */
  clientCertificate(user: string, groups: readonly string[]): Promise<CertificateAndKey>;
}

/** Makes an authority and the server's certificate for this machine, valid for a day (the authority and clients: ten years), as files in `folder`. */
export async function createCertificates(folder: string): Promise<ControlPlaneCertificates> {
  const now = Date.now();
  const notBefore = new Date(now - dayMs);
  const lifetime = { notBefore, notAfter: new Date(now + dayMs) };
  // Servers judge them by a clock that tests can set ahead.
  const longLifetime = { notBefore, notAfter: new Date(now + 10 * 365 * dayMs) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "test-ca" }, ...longLifetime });
  const issue = (subject: CertificateSubject) =>
    issueCertificate({ subject, issuer: authority, ...(subject.kind === "client" ? longLifetime : lifetime) });
  const server = await issue({
    kind: "server",
    commonName: "kube-apiserver",
    dnsNames: ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"],
    ipAddresses: ["127.0.0.1"],
  });
  const kubeletClient = await issue({
    kind: "client",
    user: "kube-apiserver-kubelet-client",
    groups: ["system:masters"],
  });
  const file = (name: string) => join(folder, name);
  const files = {
    caFile: file("ca.crt"),
    serverCertFile: file("apiserver.crt"),
    serverKeyFile: file("apiserver.key"),
    kubeletClientCertFile: file("apiserver-kubelet-client.crt"),
    kubeletClientKeyFile: file("apiserver-kubelet-client.key"),
  };
  await Promise.all([
    writeFile(files.caFile, authority.certificatePem),
    writeFile(files.serverCertFile, server.certificatePem),
    writeFile(files.serverKeyFile, server.keyPem, { mode: 0o600 }),
    writeFile(files.kubeletClientCertFile, kubeletClient.certificatePem),
    writeFile(files.kubeletClientKeyFile, kubeletClient.keyPem, { mode: 0o600 }),
  ]);
  return {
    authority,
    ...files,
    serviceAccountFlags: [
      `--service-account-issuer=${serviceAccountIssuer}`,
      `--service-account-key-file=${files.serverCertFile}`,
      `--service-account-signing-key-file=${files.serverKeyFile}`,
    ],
    clientCertificate: (user, groups) => issue({ kind: "client", user, groups }),
  };
}
