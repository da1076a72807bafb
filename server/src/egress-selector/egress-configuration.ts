import { resolve } from "node:path";
import { readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/**
 * A proxy: one that connections are asked of by CONNECT, at an address or a socket of this machine, or a konnectivity
 * server at a socket.
 */
export type EgressProxy =
  | { readonly url: URL; readonly files: EgressFiles | undefined }
  | { readonly socketPath: string }
  | { readonly tunnelSocketPath: string };

/** The files for the TLS connection to a proxy. */
export interface EgressFiles {
  /** The authorities of the proxy; undefined for those of the host. */
  readonly authorityFile: string | undefined;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Names of network contexts in v1.29. Here connections of `cluster` alone go through a proxy. */
const contexts: ReadonlySet<string> = new Set(["cluster", "controlplane", "etcd"]);

/**
 * Reads the proxy of connections to the cluster from an EgressSelectorConfiguration; undefined for direct connections. As in
 * v1.29, the document is read as v1beta1 whatever `apiVersion` it states: files with several groups are in use.
 * Rejects with a ConfigurationError that tells every problem with its path.
 */
export async function readClusterProxy(file: string): Promise<EgressProxy | undefined> {
  const { content, folder } = await readConfigFile(file);
  const problems: Problem[] = [];
  if (textAt(content, "kind") !== "EgressSelectorConfiguration") {
    problems.push(problemAt("kind", "must be EgressSelectorConfiguration"));
  }
  const seen = new Set<string>();
  let proxy: EgressProxy | undefined;
  for (const [index, selection] of listAt(content, "egressSelections").entries()) {
    const path = `egressSelections[${index}]`;
    const name = textAt(selection, "name").toLowerCase();
    if (seen.has(name)) {
      problems.push(problemAt(`${path}.name`, `${JSON.stringify(name)} is there more than once`));
    } else if (!contexts.has(name)) {
      problems.push(problemAt(`${path}.name`, `must be one of ${[...contexts].join(", ")}`));
    }
    seen.add(name);
    const found = proxyOf(selection, `${path}.connection`, folder, problems);
    if (name === "cluster") {
      proxy = found;
    } else if (found !== undefined) {
      problems.push(
        problemAt(`${path}.name`, `only connections of cluster go through a proxy here, not those of ${name}`),
      );
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError(file, problems);
  }
  return proxy;
}

function proxyOf(selection: JsonValue, path: string, folder: string, problems: Problem[]): EgressProxy | undefined {
  const connection = objectAt(selection, "connection");
  const protocol = textAt(connection, "proxyProtocol");
  const transport = connection["transport"];
  switch (protocol) {
    case "Direct":
      if (isJsonObject(transport)) {
        problems.push(problemAt(`${path}.transport`, "must be absent for Direct"));
      }
      return undefined;
    case "HTTPConnect":
      return transportOf(transport, `${path}.transport`, folder, problems);
    case "GRPC":
      return tunnelOf(transport, `${path}.transport`, folder, problems);
    default:
      problems.push(problemAt(`${path}.proxyProtocol`, "must be Direct, HTTPConnect or GRPC"));
      return undefined;
  }
}

function transportOf(
  transport: JsonValue | undefined,
  path: string,
  folder: string,
  problems: Problem[],
): EgressProxy | undefined {
  const tcp = isJsonObject(transport) ? transport["tcp"] : undefined;
  const uds = isJsonObject(transport) ? transport["uds"] : undefined;
  if (isJsonObject(tcp) === isJsonObject(uds)) {
    problems.push(problemAt(path, "must have either tcp or uds"));
    return undefined;
  }
  if (isJsonObject(uds)) {
    return { socketPath: socketPathOf(uds, path, folder, problems) };
  }
  return addressOf(tcp, `${path}.tcp`, folder, problems);
}

/** Returns the konnectivity server. It is reached at a socket alone, as in v1.29. */
function tunnelOf(
  transport: JsonValue | undefined,
  path: string,
  folder: string,
  problems: Problem[],
): EgressProxy | undefined {
  const uds = isJsonObject(transport) ? transport["uds"] : undefined;
  if (!isJsonObject(uds)) {
    problems.push(problemAt(`${path}.uds`, "must be set with GRPC"));
    return undefined;
  }
  return { tunnelSocketPath: socketPathOf(uds, path, folder, problems) };
}

function socketPathOf(uds: JsonObject, path: string, folder: string, problems: Problem[]): string {
  const socketPath = textAt(uds, "udsName");
  if (socketPath === "") {
    problems.push(problemAt(`${path}.uds.udsName`, "is required"));
  }
  return resolve(folder, socketPath);
}

function addressOf(
  tcp: JsonValue | undefined,
  path: string,
  folder: string,
  problems: Problem[],
): EgressProxy | undefined {
  const text = textAt(tcp, "url");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    problems.push(problemAt(`${path}.url`, "must be a URL of http or https"));
    return undefined;
  }
  const tls = isJsonObject(tcp) ? tcp["tlsConfig"] : undefined;
  if (url.protocol === "http:") {
    if (isJsonObject(tls)) {
      problems.push(problemAt(`${path}.tlsConfig`, "must be absent for a URL of http"));
    }
    return { url, files: undefined };
  }
  const file = (member: string): string | undefined => {
    const name = textAt(tls, member);
    return name === "" ? undefined : resolve(folder, name);
  };
  const certFile = file("clientCert");
  const keyFile = file("clientKey");
  if (certFile === undefined || keyFile === undefined) {
    problems.push(problemAt(`${path}.tlsConfig`, "must have clientCert and clientKey for a URL of https"));
    return undefined;
  }
  return { url, files: { authorityFile: file("caBundle"), certFile, keyFile } };
}
