import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CertificateAndKey, type CertificateSubject, issueCertificate } from "@gatehouse/component-base/pki";

const dayMs = 24 * 60 * 60 * 1000;

/** The issuer of tokens of service accounts in test servers. */
export const testIssuer = "https://kubernetes.default.svc";

/** The authority of one test server, which signs whatever certificates the test needs. */
export interface TestPki {
  readonly authority: CertificateAndKey;
  readonly caFile: string;
  readonly serverCertFile: string;
  readonly serverKeyFile: string;
  /** Flags by which a server issues tokens of service accounts as `testIssuer`, signed with its own key. */
  readonly serviceAccountFlags: readonly string[];
  /** A client certificate that authenticates as `user` in `groups`. */
  clientCertificate(user: string, groups: readonly string[]): Promise<CertificateAndKey>;
}

/** Makes an authority and the server's certificate for 127.0.0.1 and localhost, as files in `folder`. */
export async function createTestPki(folder: string): Promise<TestPki> {
  const now = Date.now();
  const lifetime = { notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "test-ca" }, ...lifetime });
  const issue = (subject: CertificateSubject) => issueCertificate({ subject, issuer: authority, ...lifetime });
  const server = await issue({
    kind: "server",
    commonName: "kube-apiserver",
    dnsNames: ["localhost", "kubernetes.default.svc"],
    ipAddresses: ["127.0.0.1"],
  });
  const file = (name: string) => join(folder, name);
  await Promise.all([
    writeFile(file("ca.crt"), authority.certificatePem),
    writeFile(file("apiserver.crt"), server.certificatePem),
    writeFile(file("apiserver.key"), server.keyPem, { mode: 0o600 }),
  ]);
  return {
    authority,
    caFile: file("ca.crt"),
    serverCertFile: file("apiserver.crt"),
    serverKeyFile: file("apiserver.key"),
    serviceAccountFlags: [
      `--service-account-issuer=${testIssuer}`,
      `--service-account-key-file=${file("apiserver.crt")}`,
      `--service-account-signing-key-file=${file("apiserver.key")}`,
    ],
    clientCertificate: (user, groups) => issue({ kind: "client", user, groups }),
  };
}
