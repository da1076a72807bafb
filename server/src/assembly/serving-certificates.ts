import { readFile } from "node:fs/promises";
import { firstAddress } from "@gatehouse/apiserver/options";
import type { OpenServingCertificates, ServingCertificatesOptions } from "@gatehouse/apiserver/server";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { ServerConfig } from "../options/server-config.js";

/** Returns the options of the serving certificates; one that is made has every name under which pods look for the server. */
export function servingCertificatesOptions(config: ServerConfig): ServingCertificatesOptions {
  const { bindAddress, advertiseAddress } = config;
  const own = [bindAddress, advertiseAddress].filter((address) => address !== undefined);
  return {
    files: config.tlsFiles,
    directory: config.certDirectory,
    commonName: "gatehouse-apiserver",
    dnsNames: ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"],
    ipAddresses: [firstAddress(config.serviceRanges[0]), ...own],
    clientCaFile: config.clientCaFile,
    proxyCaFile: config.authentication.requestHeader?.clientCaFile,
    minVersion: config.tls.minVersion,
    ciphers: config.tls.ciphers,
    named: config.tls.named,
    names: { subject: "flags", directory: "--cert-dir" },
  };
}

/** Reads the authorities by which clients inside the cluster verify the server, as PEM, for `kube-root-ca.crt`. */
export async function readRootCa(
  { rootCaFile, clientCaFile }: ServerConfig,
  certificates: OpenServingCertificates,
): Promise<string> {
  const file = rootCaFile ?? clientCaFile;
  if (file === undefined) {
    return certificates.reloading.options.cert.toString();
  }
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new ConfigurationError("flags", [
      problemAt("--root-ca-file", error instanceof Error ? error.message : "cannot be read"),
    ]);
  }
}
