import { readFileSync } from "node:fs";
import type { Certificates } from "../certificates.js";

/** What a client needs to be known by its certificate. */
export function readClientTls(certificates: Certificates): { ca: Buffer; cert: Buffer; key: Buffer } {
  return {
    ca: readFileSync(certificates.caFile),
    cert: readFileSync(certificates.clientCertFile),
    key: readFileSync(certificates.clientKeyFile),
  };
}
