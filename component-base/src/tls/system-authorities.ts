import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { certificatesOf } from "./certificates-of.js";

/** Files of authorities where distributions of Linux keep them, in the order in which Go looks for them (crypto/x509). */
const knownFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/tls/cacert.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];
const knownFolders = ["/etc/ssl/certs", "/etc/pki/tls/certs"];

/** The variables of the environment that name authorities. */
export type AuthorityVariables = Readonly<
  Partial<Record<"SSL_CERT_FILE" | "SSL_CERT_DIR" | "NODE_EXTRA_CA_CERTS", string>>
>;

/**
 * Returns the certificates, as PEM, of the authorities that this machine trusts: those that Go finds there, in the first file and all
 * folders, and those of NODE_EXTRA_CA_CERTS. Empty where there are none: then those that come with Node.js count. What cannot be
 * read is passed over.
 */
export function readSystemAuthorities(variables: AuthorityVariables = process.env): readonly string[] {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders, NODE_EXTRA_CA_CERTS: extra } = variables;
  const texts = [firstText(isGiven(file) ? [file] : knownFiles)];
  for (const folder of isGiven(folders) ? folders.split(":") : knownFolders) {
    texts.push(...textsIn(folder));
  }
  const found = certificatesIn(texts);
  return found.length === 0 ? [] : certificatesIn([...found, isGiven(extra) ? firstText([extra]) : ""]);
}

function isGiven(variable: string | undefined): variable is string {
  return variable !== undefined && variable !== "";
}

function firstText(paths: readonly string[]): string {
  for (const path of paths) {
    const text = textOf(path);
    if (text !== undefined) {
      return text;
    }
  }
  return "";
}

/** Returns the texts of the files in a folder, without the links by which OpenSSL finds them. */
function textsIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    return isLinkWithin(path) ? [] : (textOf(path) ?? []);
  });
}

/** Reports whether a file is a link to another one in its folder. */
function isLinkWithin(path: string): boolean {
  try {
    return !readlinkSync(path).includes("/");
  } catch {
    return false;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** Returns each certificate once. */
function certificatesIn(texts: readonly string[]): readonly string[] {
  // A folder has those of the file once more: to compare texts is cheaper than to parse certificates.
  const blocks = new Set(
    texts.flatMap((text) => text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []),
  );
  return [...new Set([...blocks].flatMap((block) => certificatesOf(block).map(String)))];
}
