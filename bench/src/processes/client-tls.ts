import { readFileSync } from "node:fs";
import type { ClientCertificates } from "../certificates.js";

/** What a client needs to know the server, and to be known by its certificate if it has one. */
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
