import { dirname, join } from "node:path";
import { ensureCertificate } from "@gatehouse/component-base/pki";

/** Files with which a client knows a server and is known by it; by other means where it has no certificate. */
export interface ClientCertificates {
  readonly caFile: string;
  readonly clientCertFile?: string;
  readonly clientKeyFile?: string;
}

/** Files of a small PKI: one authority, a server and a client certificate signed by it. */
export interface Certificates extends Required<ClientCertificates> {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes certificates for servers on 127.0.0.1 and for one client. */
export async function makeCertificates(directory: string): Promise<Certificates> {
  const file = (name: string): string => join(directory, name);
  const files: Certificates = {
    caFile: file("ca.crt"),
    certFile: file("server.crt"),
    keyFile: file("server.key"),
    clientCertFile: file("client.crt"),
    clientKeyFile: file("client.key"),
  };
  const issuer = await ensureCertificate({
    subject: { kind: "authority", commonName: "gatehouse-bench-ca" },
    certFile: files.caFile,
    keyFile: file("ca.key"),
  });
  await ensureCertificate({
    subject: { kind: "server", commonName: "bench", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    issuer,
    certFile: files.certFile,
    keyFile: files.keyFile,
  });
  await ensureCertificate({
    subject: { kind: "client", user: "bench", groups: ["system:masters"] },
    issuer,
    certFile: files.clientCertFile,
    keyFile: files.clientKeyFile,
  });
  return files;
}

/** Returns the certificates with another client certificate: for a client who may not do everything. */
export async function withClient(
  certificates: Certificates,
  { user, groups }: { readonly user: string; readonly groups: readonly string[] },
): Promise<Certificates> {
  const file = (name: string): string => join(dirname(certificates.caFile), name);
  const issuer = await ensureCertificate({
    subject: { kind: "authority", commonName: "gatehouse-bench-ca" },
    certFile: certificates.caFile,
    keyFile: file("ca.key"),
  });
  const files = { clientCertFile: file(`${user}.crt`), clientKeyFile: file(`${user}.key`) };
  const subject = { kind: "client", user, groups: [...groups] } as const;
  await ensureCertificate({ subject, issuer, certFile: files.clientCertFile, keyFile: files.clientKeyFile });
  return { ...certificates, ...files };
}
