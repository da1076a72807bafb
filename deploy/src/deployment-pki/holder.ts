import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomic } from "@gatehouse/component-base/files";
import { formatKubeconfig } from "@gatehouse/component-base/kubeconfig";
import {
  type CertificateAndKey,
  type CertificateSubject,
  ensureCertificate,
  type PrivateKeyType,
} from "@gatehouse/component-base/pki";

/** A process or person, and the folder with what only that one may read. */
export interface Holder {
  fileOf(name: string): string;
  write(name: string, content: string): Promise<void>;
  /** The certificate `<name>.crt` with `<name>.key`; made when there is none that serves, or its key is of another type. */
  certificate(
    name: string,
    subject: CertificateSubject,
    issuer?: CertificateAndKey,
    keyType?: PrivateKeyType,
  ): Promise<CertificateAndKey>;
  /** `<name>.kubeconfig`: how to reach a server, and who to be there. */
  kubeconfig(name: string, content: KubeconfigOptions): Promise<void>;
}

/** Content of a kubeconfig. */
export interface KubeconfigOptions {
  readonly server: string;
  /** Has signed the server's certificate. */
  readonly authority: CertificateAndKey;
  readonly userName: string;
  readonly credential: CertificateAndKey;
}

/** Makes the folder of a holder, if need be. */
export async function openHolder(directory: string, name: string): Promise<Holder> {
  const folder = join(directory, name);
  // What is above belongs to others, too: /etc/gatehouse holds what every process must read.
  await makeFolder(dirname(directory));
  await makeFolder(folder, 0o700);
  const fileOf = (file: string): string => join(folder, file);
  const write = (file: string, content: string): Promise<void> =>
    writeFileAtomic(fileOf(file), content, { mode: 0o600 });
  return {
    fileOf,
    write,
    certificate: (file, subject, issuer, keyType) =>
      ensureCertificate({
        subject,
        certFile: fileOf(`${file}.crt`),
        keyFile: fileOf(`${file}.key`),
        ...(issuer === undefined ? {} : { issuer }),
        ...(keyType === undefined ? {} : { keyType }),
      }),
    kubeconfig: (file, { server, authority, userName, credential }) =>
      write(
        `${file}.kubeconfig`,
        formatKubeconfig({
          clusterName: "gatehouse",
          server,
          certificateAuthorityPem: authority.certificatePem,
          userName,
          clientCertificatePem: credential.certificatePem,
          clientKeyPem: credential.keyPem,
        }),
      ),
  };
}
