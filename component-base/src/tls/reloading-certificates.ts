import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { followFiles } from "../files/follow-files.js";
import { type Logger, silentLogger } from "../logs/logger.js";
import { authoritiesOf } from "./certificates-of.js";

/**
 * The PEM files that a TLS server serves from: its certificate with those between it and the authority, and its key.
 */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of client certificates. */
  readonly clientCaFile?: string;
  /** Further authorities of those who may connect; what they are good for is for the server to tell. */
  readonly otherCaFiles?: readonly string[];
}

/** Certificates of a TLS server, named as in Node's `tls` and `http2` modules. */
export interface ServingCertificates {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
}

/** A server that can change its certificates: any `tls.Server`, and so every HTTPS and HTTP/2 server. */
export interface SecureContextHolder {
  setSecureContext(options: ServingCertificates): void;
}

/** The files to follow, and further TLS options of the server. */
export interface ReloadingCertificatesOptions<E extends object> {
  readonly files: CertificateFiles;
  /** Interval in milliseconds between looks at the files. Default 10,000; a change is served within that time. */
  readonly pollIntervalMs?: number;
  /** Further TLS options (`minVersion`, `ciphers`): a new context forgets options that are not passed again. */
  readonly secureOptions?: E;
  /** Logger of reloads. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** Certificates that follow their files until disposed of, which stops the looking and lets go of the servers. */
export interface ReloadingCertificates<E extends object> extends Disposable {
  /** Options for the server's constructor. */
  readonly options: ServingCertificates & E;
  /** Gives `server` each new certificate from now on. Open connections stay as they are. */
  attach(server: SecureContextHolder): void;
  /** Looks at the files now. A pair that cannot be used is left alone, logged, and tried again when it changes. */
  checkNow(): Promise<"unchanged" | "reloaded" | "refused">;
}

const defaultPollIntervalMs = 10_000;

/**
 * Reads the certificates of a server and follows the files as they are replaced. Rejects if the files cannot be used now.
 */
export async function openReloadingCertificates<E extends object = object>(
  options: ReloadingCertificatesOptions<E>,
): Promise<ReloadingCertificates<E>> {
  const { files, logger = silentLogger } = options;
  const { certFile, keyFile } = files;
  const servers: SecureContextHolder[] = [];
  const followed = await followFiles({
    files: [certFile, keyFile, ...caFilesOf(files)],
    read: () => load(files, options.secureOptions),
    pollIntervalMs: options.pollIntervalMs ?? defaultPollIntervalMs,
    onReload(current) {
      for (const server of servers) {
        server.setSecureContext(current);
      }
      logger.info("serving certificate reloaded", { certFile });
    },
    onRefusal: (error) =>
      logger.error("cannot load the new serving certificate, keeping the old one", { certFile, error }),
  });
  return {
    get options() {
      return followed.current;
    },
    attach(server) {
      servers.push(server);
    },
    checkNow: followed.checkNow,
    [Symbol.dispose]() {
      followed[Symbol.dispose]();
      servers.length = 0;
    },
  };
}

async function load<E extends object>(files: CertificateFiles, secureOptions: E | undefined) {
  const [cert, key, ...authorities] = await Promise.all([
    readFile(files.certFile),
    readFile(files.keyFile),
    ...caFilesOf(files).map(readAuthorities),
  ]);
  const ca = authorities.length === 0 ? undefined : Buffer.from(authorities.join(""));
  const loaded: ServingCertificates = { cert, key, ...(ca === undefined ? {} : { ca }) };
  // Throws when the key does not belong to the certificate, for instance between the writing of the two.
  createSecureContext(loaded);
  return Object.assign({}, secureOptions, loaded) as ServingCertificates & E;
}

/** Written anew, so that TLS believes the certificates that everybody else finds in the file, and no others. */
async function readAuthorities(file: string): Promise<string> {
  const pem = await readFile(file, "utf8");
  try {
    return authoritiesOf(pem).join("");
  } catch (error) {
    throw new Error(`${file} ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}

function caFilesOf({ clientCaFile, otherCaFiles = [] }: CertificateFiles): readonly string[] {
  return clientCaFile === undefined ? otherCaFiles : [clientCaFile, ...otherCaFiles];
}
