import { readFileSync } from "node:fs";
import type { ClientCertificates } from "../certificates.js";

/** What a client needs to be known by its certificate. */
export function readClientTls(certificates: ClientCertificates): { ca: Buffer; cert: Buffer; key: Buffer } {
  return {
    ca: readFileSync(certificates.caFile),
    cert: readFileSync(certificates.clientCertFile),
    key: readFileSync(certificates.clientKeyFile),
  };
}
