import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContext, type SecureContextOptions } from "node:tls";
import { type FollowedFiles, followFiles } from "../files/follow-files.js";
import { type Logger, silentLogger } from "../logs/logger.js";

/** PEM files of a certificate and its key, and the names that it is for. */
export interface NamedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** Names, or `*.` and a domain; those of the certificate when empty. */
  readonly names: readonly string[];
}

/** The certificates to follow, and the TLS options of the server that shows them. */
export interface NamedCertificatesOptions {
  /** The certificates in the order in which they count; those with names of their own come first. */
  readonly certificates: readonly NamedCertificate[];
  /** Returns the other TLS options of the server now: `ca`, `minVersion`, `ciphers`. The same object means no change. */
  readonly secureOptions: () => SecureContextOptions;
  /** Interval in milliseconds between looks at the files. Default 10,000. */
  readonly pollIntervalMs?: number;
  /** Logger of reloads. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** Certificates that a server shows to clients that ask for their names. */
export interface NamedCertificates extends Disposable {
  /** Returns the context for a name that a client asks for (SNI); undefined for that of the server. */
  contextFor(name: string): SecureContext | undefined;
}

const defaultPollIntervalMs = 10_000;

/** Reads certificates for some names and follows their files. Rejects if one of them cannot be used now. */
export async function openNamedCertificates(options: NamedCertificatesOptions): Promise<NamedCertificates> {
  const opened: FollowedFiles<LoadedCertificate>[] = [];
  const close = (): void => {
    for (const followed of opened) {
      followed[Symbol.dispose]();
    }
  };
  try {
    for (const certificate of options.certificates) {
      opened.push(await follow(certificate, options));
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    contextFor: (name) => find(opened, name.toLowerCase())?.context(options.secureOptions()),
    [Symbol.dispose]: close,
  };
}

/** A certificate as it is in its files now. */
interface LoadedCertificate {
  readonly names: ReadonlySet<string>;
  /** True if the names were given, which counts for more than those in a certificate. */
  readonly isExplicit: boolean;
  readonly context: (secureOptions: SecureContextOptions) => SecureContext;
}

function follow(
  certificate: NamedCertificate,
  { pollIntervalMs = defaultPollIntervalMs, logger = silentLogger }: NamedCertificatesOptions,
): Promise<FollowedFiles<LoadedCertificate>> {
  const { certFile, keyFile } = certificate;
  return followFiles({
    files: [certFile, keyFile],
    read: () => load(certificate),
    pollIntervalMs,
    onReload: () => logger.info("certificate for names reloaded", { certFile }),
    onRefusal: (error) =>
      logger.error("cannot load the new certificate for names, keeping the old one", { certFile, error }),
  });
}

async function load({ certFile, keyFile, names }: NamedCertificate): Promise<LoadedCertificate> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  let made: { readonly from: SecureContextOptions; readonly context: SecureContext } | undefined;
  const context = (from: SecureContextOptions): SecureContext => {
    if (made?.from !== from) {
      made = { from, context: createSecureContext({ ...from, cert, key }) };
    }
    return made.context;
  };
  // Throws when the key does not belong to the certificate.
  context({});
  const found = names.length > 0 ? names : namesIn(new X509Certificate(cert));
  return { names: new Set(found.map((name) => name.toLowerCase())), isExplicit: names.length > 0, context };
}

/** Returns the common name, if it is the name of a host, and the DNS names of a certificate. Addresses are left out. */
function namesIn({ subject, subjectAltName = "" }: X509Certificate): readonly string[] {
  const common = /^CN=(.*)$/m.exec(subject)?.[1] ?? "";
  const isHost = /^(?:\*|(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/.test(common) && !/^[\d.]+$/.test(common);
  const alternatives = [...subjectAltName.matchAll(/(?:^|, )DNS:([^,"]+)/g)].map((match) => match[1] ?? "");
  return isHost ? [common, ...alternatives] : alternatives;
}

/** Returns the certificate for a name: first its own, then that of the wildcard in the place of its first labels. */
function find(all: readonly FollowedFiles<LoadedCertificate>[], name: string): LoadedCertificate | undefined {
  const loaded = all.map(({ current }) => current);
  const ordered = [...loaded.filter(({ isExplicit }) => isExplicit), ...loaded.filter(({ isExplicit }) => !isExplicit)];
  for (const candidate of candidatesFor(name)) {
    const match = ordered.find(({ names }) => names.has(candidate));
    if (match !== undefined) {
      return match;
    }
  }
  return undefined;
}

/** Lists the keys by which Go's server looks a name up: the name, then with its first label as `*`. */
function candidatesFor(name: string): readonly string[] {
  const dot = name.indexOf(".");
  return dot < 0 ? [name, "*"] : [name, `*${name.slice(dot)}`];
}
