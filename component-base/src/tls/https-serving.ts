import { constants } from "node:crypto";
import type { Logger } from "../logs/logger.js";
import { type IdentifyCaller, identifyCallers } from "./caller-certificates.js";
import {
  type CertificateFiles,
  openReloadingCertificates,
  type SecureContextHolder,
  type ServingCertificates,
} from "./reloading-certificates.js";

/**
 * Whether callers are asked for a certificate when they connect. `optional` leaves it to the server to turn away those
 * without a good one, so that it can answer probes and take tokens as well; `required` ends the connection.
 */
export type AskForCertificate = "none" | "optional" | "required";

/** What to serve HTTPS with. */
export interface HttpsServingOptions {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of callers; to be given when their certificates are asked for, and only then. */
  readonly callerCaFile?: string;
  /** Default: `optional` with `callerCaFile`, `none` without it. */
  readonly askForCertificate?: AskForCertificate;
  /** How often the files are looked at, in milliseconds. Default 10 seconds. */
  readonly pollIntervalMs?: number;
  readonly logger?: Logger;
}

/** For the constructor of `https.createServer` (or any `tls.Server`). */
export interface HttpsServerOptions extends ServingCertificates {
  readonly minVersion: "TLSv1.2";
  readonly secureOptions: number;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

/** TLS that follows its files: the serving pair, and the authorities of callers. Disposed of, it looks no more. */
export interface HttpsServing extends Disposable {
  readonly options: HttpsServerOptions;
  /** From now on `server` gets what is new. Connections that are open stay open. */
  attach(server: SecureContextHolder): void;
  /** Looks at the files now. What cannot be used is logged and left alone, and tried again when it changes. */
  checkNow(): Promise<"unchanged" | "reloaded" | "refused">;
  /** Who a connection comes from, as its certificate is to be believed now. To be asked with each request. */
  readonly identifyCaller: IdentifyCaller;
}

/** Reads the files and follows them. Rejects when they cannot be used. */
export async function openHttpsServing(options: HttpsServingOptions): Promise<HttpsServing> {
  const { certFile, keyFile, callerCaFile, logger, pollIntervalMs } = options;
  const { askForCertificate = callerCaFile === undefined ? "none" : "optional" } = options;
  if ((askForCertificate === "none") !== (callerCaFile === undefined)) {
    throw new TypeError("certificates are asked for exactly when the authorities of callers are known");
  }
  const files: CertificateFiles = {
    certFile,
    keyFile,
    ...(callerCaFile === undefined ? {} : { clientCaFile: callerCaFile }),
  };
  const certificates = await openReloadingCertificates({
    files,
    secureOptions: {
      minVersion: "TLSv1.2" as const,
      // A resumed session would bring back the trust of the time in which it began.
      secureOptions: constants.SSL_OP_NO_TICKET,
      requestCert: askForCertificate !== "none",
      rejectUnauthorized: askForCertificate === "required",
    },
    ...(logger === undefined ? {} : { logger }),
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
  });
  let authorities: { readonly bytes: Buffer | undefined; readonly pem: string } | undefined;
  // Asked for with each request, while the file changes hardly ever.
  function authoritiesPem(): string {
    const bytes = certificates.options.ca;
    if (authorities === undefined || authorities.bytes !== bytes) {
      authorities = { bytes, pem: bytes?.toString() ?? "" };
    }
    return authorities.pem;
  }

  return {
    get options() {
      return certificates.options;
    },
    attach: (server) => certificates.attach(server),
    checkNow: () => certificates.checkNow(),
    identifyCaller: identifyCallers(authoritiesPem),
    [Symbol.dispose]() {
      certificates[Symbol.dispose]();
    },
  };
}
