import { access, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isUnspecified } from "@gatehouse/component-base/addresses";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { followFiles, makeFolder } from "@gatehouse/component-base/files";
import type { Logger } from "@gatehouse/component-base/logs";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import { problemAt } from "@gatehouse/component-base/problems";
import {
  authoritiesOf,
  type NamedCertificate,
  type NamedCertificates,
  openNamedCertificates,
  openReloadingCertificates,
  type ReloadingCertificates,
} from "@gatehouse/component-base/tls";
import type { ServerLog } from "../logs/server-log.js";

/** The serving certificates, and the authorities that others check them and clients against. */
export interface OpenServingCertificates {
  readonly reloading: ReloadingCertificates<object>;
  /** The certificates for names that clients ask for; undefined for none. */
  readonly named: NamedCertificates | undefined;
  /** Returns the current authorities of client certificates, as PEM; empty for none. Cheap enough for each request. */
  clientAuthorities(): string;
  /** Returns the current authorities of front proxies, as PEM; empty for none. */
  proxyAuthorities(): string;
  /** The authority that verifies the serving certificate, as PEM: the one made with it, else the certificate itself. */
  readonly authority: string;
}

/** The PEM files of a certificate, with those between it and the authority, and of its key. */
export interface CertificateAndKeyFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The certificates to serve with. Files are PEM. */
export interface ServingCertificatesOptions {
  /** The certificate and its key; made in `directory` when absent. */
  readonly files?: CertificateAndKeyFiles | undefined;
  /** The folder of certificates that are made. */
  readonly directory: string;
  /** The common name of a certificate that is made. */
  readonly commonName: string;
  /** The names in it besides `localhost` and the name of this machine. */
  readonly dnsNames: readonly string[];
  /** The addresses in it besides those of loopback. */
  readonly ipAddresses: readonly string[];
  /** Authorities of client certificates. */
  readonly clientCaFile?: string | undefined;
  /** Authorities of front proxies. */
  readonly proxyCaFile?: string | undefined;
  /** True if clients are asked for certificates although no file has authorities: authenticators know them. */
  readonly asksClients?: boolean | undefined;
  /** The oldest version of TLS; 1.2 when absent. */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3" | undefined;
  /** The cipher suites as OpenSSL lists them; those of Node when absent. */
  readonly ciphers?: string | undefined;
  /** Certificates for some names, in the order in which they count. */
  readonly named?: readonly NamedCertificate[] | undefined;
  /** The names of these options in errors: `flags`, and `--cert-dir`. */
  readonly names?: { readonly subject: string; readonly directory: string } | undefined;
}

const optionNames = { subject: "options", directory: "certificateDirectory" };

/**
 * Opens the certificates to serve with; makes an authority and a certificate when none are given. Rejects with a
 * ConfigurationError when the files cannot be used.
 */
export async function openServingCertificates(
  options: ServingCertificatesOptions,
  log: ServerLog,
  logger: Logger,
): Promise<OpenServingCertificates> {
  const { clientCaFile, proxyCaFile, ciphers, named: certificates = [], names = optionNames } = options;
  const files = options.files ?? (await findCertificates(options.directory)) ?? (await makeCertificates(options, log));
  try {
    const reloading = await openReloadingCertificates({
      files: {
        certFile: files.certFile,
        keyFile: files.keyFile,
        ...(clientCaFile === undefined ? {} : { clientCaFile }),
        ...(proxyCaFile === undefined ? {} : { otherCaFiles: [proxyCaFile] }),
      },
      secureOptions: { minVersion: options.minVersion ?? "TLSv1.2", ...(ciphers === undefined ? {} : { ciphers }) },
      logger,
    });
    const named =
      certificates.length === 0
        ? undefined
        : await openNamedCertificates({ certificates, secureOptions: () => reloading.options, logger });
    const authority =
      "authority" in files ? (files as MadeCertificates).authority : await readFile(files.certFile, "utf8");
    const [clientAuthorities, proxyAuthorities] = await Promise.all([
      followAuthorities(clientCaFile, log),
      followAuthorities(proxyCaFile, log),
    ]);
    return { reloading, named, clientAuthorities, proxyAuthorities, authority };
  } catch (error) {
    throw new ConfigurationError(names.subject, [
      problemAt("serving certificates", error instanceof Error ? error.message : "cannot be read"),
    ]);
  }
}

/** Interval in milliseconds between checks of the files of authorities, as for the serving certificate. */
const pollIntervalMs = 10_000;

/** Follows the authorities in a file. The TLS of the server needs them all, and reads them by itself. */
async function followAuthorities(file: string | undefined, log: ServerLog): Promise<() => string> {
  if (file === undefined) {
    return () => "";
  }
  const followed = await followFiles({
    files: [file],
    read: async () => {
      const pem = await readFile(file, "utf8");
      authoritiesOf(pem);
      return pem;
    },
    pollIntervalMs,
    onReload: () => {},
    onRefusal: (error) => log.fault(error),
  });
  return () => followed.current;
}

const [madeCertFile, madeKeyFile, authorityFile] = ["apiserver.crt", "apiserver.key", "apiserver-ca.crt"];

/**
 * Finds a certificate and its key that somebody else has put where a made one would lie: without the authority of a made
 * one beside them. Test harnesses do so, and kube-apiserver serves them as they are.
 */
async function findCertificates(directory: string): Promise<CertificateAndKeyFiles | undefined> {
  const file = (name: string): string => join(directory, name);
  const [certificate, key, authority] = await Promise.all(
    [madeCertFile, madeKeyFile, authorityFile].map((name) => isThere(file(name))),
  );
  return certificate && key && !authority ? { certFile: file(madeCertFile), keyFile: file(madeKeyFile) } : undefined;
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** A certificate that was made, and the authority that signed it, as PEM. */
interface MadeCertificates extends CertificateAndKeyFiles {
  readonly authority: string;
}

async function makeCertificates(options: ServingCertificatesOptions, log: ServerLog): Promise<MadeCertificates> {
  const { directory, commonName, names = optionNames } = options;
  const file = (name: string): string => join(directory, name);
  try {
    await makeFolder(directory, 0o700);
    const issuer = await ensureCertificate({
      subject: { kind: "authority", commonName: `${commonName}-ca` },
      certFile: file(authorityFile),
      keyFile: file("apiserver-ca.key"),
    });
    const certFile = file(madeCertFile);
    const keyFile = file(madeKeyFile);
    const { issuedBecause } = await ensureCertificate({
      subject: serverSubject(options),
      issuer,
      certFile,
      keyFile,
    });
    if (issuedBecause !== undefined) {
      log.certificatesMade(directory);
    }
    return { certFile, keyFile, authority: issuer.certificatePem };
  } catch (error) {
    throw new ConfigurationError(names.subject, [
      problemAt(names.directory, error instanceof Error ? error.message : "certificates cannot be made there"),
    ]);
  }
}

/** Lists every name under which clients look for the server. */
function serverSubject({
  commonName,
  dnsNames,
  ipAddresses,
}: ServingCertificatesOptions): Parameters<typeof ensureCertificate>[0]["subject"] {
  const addresses = ["127.0.0.1", "::1", ...ipAddresses.filter((address) => !isUnspecified(address))];
  return {
    kind: "server",
    commonName,
    dnsNames: ["localhost", hostname(), ...dnsNames],
    ipAddresses: [...new Set(addresses)],
  };
}
