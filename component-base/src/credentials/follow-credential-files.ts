import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { certificatesOf } from "../tls/certificates-of.js";
import type { CallTls } from "./call-tls.js";

const defaultIntervalMs = 1000;

/**
 * Keeps the TLS material made of files up to date. The files are looked at with the calls, at most once in the
 * interval. Files that cannot be used, such as a key whose certificate is not written yet, leave things as they are.
 */
export function followCredentialFiles(
  files: readonly (string | undefined)[],
  initial: CallTls,
  make: (contents: readonly (string | undefined)[]) => CallTls,
  intervalMs: number = defaultIntervalMs,
): () => Promise<CallTls> | CallTls {
  let current = initial;
  // Empty, so that the first look reads: the files may have changed since the configuration was.
  let stamp = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<CallTls> | undefined;

  async function look(): Promise<CallTls> {
    try {
      const seen = await stampOf(files);
      if (seen !== stamp) {
        const made = make(
          await Promise.all(files.map((file) => (file === undefined ? undefined : readFile(file, "utf8")))),
        );
        assertUsable(made);
        current = made;
        stamp = seen;
      }
    } catch {
      // Looked at again after the interval.
    } finally {
      lookedAt = performance.now();
      looking = undefined;
    }
    return current;
  }

  return () => {
    if (performance.now() - lookedAt < intervalMs) {
      return current;
    }
    looking ??= look();
    return looking;
  };
}

function assertUsable({ certificateAuthorityPem, clientCertificate }: CallTls): void {
  if (certificateAuthorityPem !== undefined && certificatesOf(certificateAuthorityPem).length === 0) {
    throw new Error("no certificate in the authorities");
  }
  if (clientCertificate !== undefined) {
    createSecureContext({ cert: clientCertificate.certificatePem, key: clientCertificate.keyPem });
  }
}

async function stampOf(files: readonly (string | undefined)[]): Promise<string> {
  const stamps = await Promise.all(
    files.map(async (file) => {
      const found = file === undefined ? undefined : await stat(file);
      return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}`;
    }),
  );
  return stamps.join(" ");
}
