import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ServerLog } from "@gatehouse/apiserver/logs";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { followFiles, makeFolder } from "@gatehouse/component-base/files";
import type { Logger } from "@gatehouse/component-base/logs";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import { problemAt } from "@gatehouse/component-base/problems";
import { authoritiesOf, openReloadingCertificates, type ReloadingCertificates } from "@gatehouse/component-base/tls";
import type { ServerConfig } from "./options/server-config.js";

/** The serving certificates, and the authorities that others check them and clients against. */
export interface ServingCertificatesOfServer {
  readonly reloading: ReloadingCertificates<object>;
  /** Returns the current authorities of client certificates, as PEM; empty for none. Cheap enough for each request. */
  clientAuthorities(): string;
  /** Returns the current authorities of front proxies, as PEM; empty for none. */
  proxyAuthorities(): string;
  /** The authorities by which clients inside the cluster verify this server, as PEM, for `kube-root-ca.crt`. */
  readonly rootCa: string;
}

/** Opens the certificates to serve with; makes an authority and a certificate in `--cert-dir` when none are given. */
export async function openServingCertificates(
  config: ServerConfig,
  log: ServerLog,
  logger: Logger,
): Promise<ServingCertificatesOfServer> {
  const files = config.tlsFiles ?? (await makeCertificates(config, log));
  const { clientCaFile } = config;
  const proxyCaFile = config.authentication.requestHeader?.clientCaFile;
  try {
    const reloading = await openReloadingCertificates({
      files: {
        ...files,
        ...(clientCaFile === undefined ? {} : { clientCaFile }),
        ...(proxyCaFile === undefined ? {} : { otherCaFiles: [proxyCaFile] }),
      },
      secureOptions: {},
      logger,
    });
    const rootCa = await readFile(config.rootCaFile ?? clientCaFile ?? files.certFile, "utf8");
    const [clientAuthorities, proxyAuthorities] = await Promise.all([
      followAuthorities(clientCaFile, log),
      followAuthorities(proxyCaFile, log),
    ]);
    return { reloading, clientAuthorities, proxyAuthorities, rootCa };
  } catch (error) {
    throw new ConfigurationError("flags", [
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

async function makeCertificates(
  config: ServerConfig,
  log: ServerLog,
): Promise<{ readonly certFile: string; readonly keyFile: string }> {
  const directory = config.certDirectory;
  const file = (name: string): string => join(directory, name);
  try {
    await makeFolder(directory, 0o700);
    const issuer = await ensureCertificate({
      subject: { kind: "authority", commonName: "gatehouse-apiserver-ca" },
      certFile: file("apiserver-ca.crt"),
      keyFile: file("apiserver-ca.key"),
    });
    const certFile = file("apiserver.crt");
    const keyFile = file("apiserver.key");
    const { issuedBecause } = await ensureCertificate({
      subject: serverSubject(config),
      issuer,
      certFile,
      keyFile,
    });
    if (issuedBecause !== undefined) {
      log.certificatesMade(directory);
    }
    return { certFile, keyFile };
  } catch (error) {
    throw new ConfigurationError("flags", [
      problemAt("--cert-dir", error instanceof Error ? error.message : "certificates cannot be made there"),
    ]);
  }
}

/** Lists every name under which clients on this machine, or pods, look for the API server. */
function serverSubject(config: ServerConfig): Parameters<typeof ensureCertificate>[0]["subject"] {
  const addresses = ["127.0.0.1", "::1", config.serviceRange.firstAddress];
  for (const address of [config.bindAddress, config.advertiseAddress]) {
    if (address !== undefined && address !== "0.0.0.0" && address !== "::") {
      addresses.push(address);
    }
  }
  return {
    kind: "server",
    commonName: "gatehouse-apiserver",
    dnsNames: [
      "localhost",
      hostname(),
      "kubernetes",
      "kubernetes.default",
      "kubernetes.default.svc",
      "kubernetes.default.svc.cluster.local",
    ],
    ipAddresses: [...new Set(addresses)],
  };
}
