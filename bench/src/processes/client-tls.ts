import { readFileSync } from "node:fs";
import type { ClientCertificates } from "../certificates.js";

/** Reads the trusted authority and, if the client has one, its certificate and key. */
export function readClientTls({ caFile, clientCertFile, clientKeyFile }: ClientCertificates): {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
} {
  return {
    ca: readFileSync(caFile),
    ...(clientCertFile === undefined ? {} : { cert: readFileSync(clientCertFile) }),
    ...(clientKeyFile === undefined ? {} : { key: readFileSync(clientKeyFile) }),
  };
}
