import type { ClientConfig, ClientIdentity, ExecCluster } from "./client-config.js";
import { type PemText, type Reading, readPem } from "./read-pem.js";
import type { AddProblem, Section } from "./section.js";

/** A cluster of a kubeconfig, and its description for a credential plugin. */
export interface ParsedCluster {
  /** Absent when there is no usable server, which is noted as a problem. */
  readonly config: Omit<ClientConfig, keyof ClientIdentity | "namespace"> | undefined;
  readonly execCluster: ExecCluster;
}

/** Reads the entry of a cluster. */
export async function parseCluster(cluster: Section, reading: Reading): Promise<ParsedCluster> {
  const { add } = reading;
  const server = parseServer(cluster, add);
  const authority = await readPem(cluster, "certificate-authority", reading);
  const insecureSkipTlsVerify = cluster.boolean("insecure-skip-tls-verify") ?? false;
  const tlsServerName = cluster.string("tls-server-name");
  const proxyUrl = parseProxyUrl(cluster, add);
  const disableCompression = cluster.boolean("disable-compression") ?? false;
  if (authority !== undefined && insecureSkipTlsVerify) {
    add(`${cluster.path}.insecure-skip-tls-verify`, "cannot be combined with a certificate authority");
  }
  const config = server && {
    server,
    insecureSkipTlsVerify,
    ...(authority === undefined ? {} : authorityOf(authority)),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(disableCompression ? { disableCompression } : {}),
  };
  return { config, execCluster: describe(cluster, authority) };
}

function authorityOf({
  text,
  file,
}: PemText): Pick<ClientConfig, "certificateAuthorityPem" | "certificateAuthorityFile"> {
  return { certificateAuthorityPem: text, ...(file === undefined ? {} : { certificateAuthorityFile: file }) };
}

/** Describes the cluster for a plugin, without members that are not set. Problems have been noted by then. */
function describe(cluster: Section, authority: PemText | undefined): ExecCluster {
  const texts = ["tls-server-name", "proxy-url"].flatMap((key) => {
    const text = cluster.string(key);
    return text === undefined ? [] : [[key, text]];
  });
  const switches = ["insecure-skip-tls-verify", "disable-compression"].flatMap((key) =>
    cluster.boolean(key) === true ? [[key, true]] : [],
  );
  const config = execConfigOf(cluster);
  return {
    server: cluster.string("server") ?? "",
    ...Object.fromEntries([...texts, ...switches]),
    ...(authority === undefined
      ? {}
      : { "certificate-authority-data": Buffer.from(authority.text).toString("base64") }),
    ...(config === undefined ? {} : { config }),
  };
}

/** The extension of a cluster that is meant for the plugin. */
function execConfigOf(cluster: Section): unknown {
  for (const entry of cluster.list("extensions")) {
    const { name, extension } = Object.assign({ name: undefined, extension: undefined }, entry);
    if (name === "client.authentication.k8s.io/exec") {
      return extension;
    }
  }
  return undefined;
}

function parseServer(cluster: Section, add: AddProblem): URL | undefined {
  const text = cluster.requiredString("server");
  if (text === undefined) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "") {
    add(`${cluster.path}.server`, "must be a URL such as https://example.com:6443/path");
    return undefined;
  }
  return url;
}

function parseProxyUrl(cluster: Section, add: AddProblem): URL | undefined {
  const text = cluster.string("proxy-url");
  if (text === undefined) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    add(`${cluster.path}.proxy-url`, "must be a URL such as http://proxy.example.com:3128");
    return undefined;
  }
  return url;
}
