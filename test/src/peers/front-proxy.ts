import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCertificates } from "@gatehouse/testing/certificates";

/** The files by which servers are known to each other as front proxies. */
export interface FrontProxy {
  /** The authority of front proxies. */
  readonly caFile: string;
  /** The flags of a server that takes requests of front proxies, and shows itself as one. */
  readonly flags: readonly string[];
}

/** Makes an authority of front proxies, and a certificate of one. */
export async function makeFrontProxy(folder: string): Promise<FrontProxy> {
  const { caFile, clientCertificate } = await createCertificates(folder);
  const { certificatePem, keyPem } = await clientCertificate("front-proxy", []);
  const certFile = join(folder, "front-proxy.crt");
  const keyFile = join(folder, "front-proxy.key");
  await writeFile(certFile, certificatePem);
  await writeFile(keyFile, keyPem, { mode: 0o600 });
  const flags = [
    `--requestheader-client-ca-file=${caFile}`,
    "--requestheader-allowed-names=front-proxy",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${certFile}`,
    `--proxy-client-key-file=${keyFile}`,
  ];
  return { caFile, flags };
}
