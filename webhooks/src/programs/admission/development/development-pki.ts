import { join } from "node:path";
import { makeFolder } from "@gatehouse/component-base/files";
import { ensureCertificate } from "@gatehouse/component-base/pki";

/** Files with the certificate of hooks on this machine, and with the authority that has signed it. */
export interface DevelopmentPki {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Makes the serving certificate of hooks on this machine for `host`; valid files of the folder are kept. */
export async function ensureDevelopmentPki(folder: string, host: string): Promise<DevelopmentPki> {
  await makeFolder(folder, 0o700);
  const pair = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const issuer = await ensureCertificate({
    subject: { kind: "authority", commonName: "gatehouse-admission-dev" },
    ...pair("hooks-ca"),
  });
  const isAddress = /^[\d.]+$|:/.test(host);
  await ensureCertificate({
    subject: {
      kind: "server",
      commonName: "gatehouse-admission",
      dnsNames: ["localhost", ...(isAddress ? [] : [host])],
      ipAddresses: ["127.0.0.1", ...(isAddress && host !== "127.0.0.1" ? [host] : [])],
    },
    issuer,
    ...pair("hooks"),
  });
  return { ...pair("hooks"), caFile: pair("hooks-ca").certFile };
}
