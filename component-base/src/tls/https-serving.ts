import { constants } from "node:crypto";
import type { Server } from "node:tls";
import type { Logger } from "../logs/logger.js";
import { type IdentifyCaller, identifyCallers } from "./caller-certificates.js";
import { keepUntrustedPeer } from "./peer-certificate.js";
import {
  type CertificateFiles,
  openReloadingCertificates,
  type ServingCertificates,
} from "./reloading-certificates.js";

/**
 * Policy for client certificates at connection time. `optional` leaves it to the server to turn away callers without a
 * good one, so that it can answer probes and take tokens as well; `required` ends the connection.
 */
export type AskForCertificate = "none" | "optional" | "required";

/** Files and options for serving HTTPS. */
export interface HttpsServingOptions {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of callers; to be given when their certificates are asked for, and only then. */
  readonly callerCaFile?: string;
  /** Policy for client certificates. Default `optional` with `callerCaFile`, `none` without it. */
  readonly askForCertificate?: AskForCertificate;
  /** Interval in milliseconds between looks at the files. Default 10,000. */
  readonly pollIntervalMs?: number;
  readonly logger?: Logger;
}

/** Options for the constructor of `https.createServer` (or any `tls.Server`). */
export interface HttpsServerOptions extends ServingCertificates {
  readonly minVersion: "TLSv1.2";
  readonly secureOptions: number;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

/** TLS that follows its files: the serving pair, and the authorities of callers. Disposed of, it looks no more. */
export interface HttpsServing extends Disposable {
  readonly options: HttpsServerOptions;
  /** Gives `server` each new certificate from now on. Open connections stay open. */
  attach(server: Server): void;
  /** Looks at the files now. What cannot be used is logged and left alone, and tried again when it changes. */
  checkNow(): Promise<"unchanged" | "reloaded" | "refused">;
  /** Identifies the peer of a connection by the authorities trusted now. Call it for each request. */
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
    attach(server) {
      certificates.attach(server);
      server.on("secureConnection", keepUntrustedPeer);
    },
    checkNow: () => certificates.checkNow(),
    identifyCaller: identifyCallers(authoritiesPem),
    [Symbol.dispose]() {
      certificates[Symbol.dispose]();
    },
  };
}
