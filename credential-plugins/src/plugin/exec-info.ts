import type { ExecCluster, ExecPluginConfig } from "@gatehouse/component-base/kubeconfig";
import { CredentialError } from "./credential-error.js";

/** The information that a client passes to the plugin. */
export interface ExecInfo {
  readonly apiVersion: ExecPluginConfig["apiVersion"];
  /** True if the plugin may read standard input. */
  readonly interactive: boolean;
  /** Cluster that the credential is for; only if the kubeconfig says `provideClusterInfo: true`. */
  readonly cluster?: ExecCluster;
}

/** The variable in which clients put an ExecCredential without status. */
export const execInfoVariable = "KUBERNETES_EXEC_INFO";

/**
 * Returns the KUBERNETES_EXEC_INFO that `setup` writes for clients that set none, as @kubernetes/client-node. Clients
 * that set it replace this value.
 */
export function silentExecInfo(apiVersion: ExecInfo["apiVersion"]): string {
  return JSON.stringify({ kind: "ExecCredential", apiVersion, spec: { interactive: false } });
}

const apiVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;

/**
 * Reads the value of KUBERNETES_EXEC_INFO. Throws CredentialError for what no client writes; fields that are not known
 * are ignored, since later clients may know more. Clients before 1.22 do not say in v1beta1 whether the plugin may read
 * what is typed, and let it when there is a terminal: `stdinIsTerminal`.
 */
export function readExecInfo(text: string | undefined, stdinIsTerminal: boolean): ExecInfo {
  if (text === undefined || text === "") {
    throw new CredentialError(
      `${execInfoVariable} is not set: this program is run by clients such as kubectl, as users[].user.exec of a kubeconfig says`,
    );
  }
  const document = fieldsOf(parseJson(text), "the value");
  const kind = document.get("kind");
  if (kind !== "ExecCredential") {
    throw invalid(`kind must be ExecCredential, not ${JSON.stringify(kind ?? null)}`);
  }
  const apiVersion = apiVersions.find((known) => known === document.get("apiVersion"));
  if (apiVersion === undefined) {
    const told = JSON.stringify(document.get("apiVersion") ?? null);
    throw invalid(`apiVersion must be ${apiVersions.join(" or ")}, not ${told}`);
  }
  const spec = fieldsOf(document.get("spec"), "spec");
  const older = apiVersion === "client.authentication.k8s.io/v1beta1";
  const interactive = spec.get("interactive") ?? (older ? stdinIsTerminal : undefined);
  if (typeof interactive !== "boolean") {
    throw invalid("spec.interactive must be true or false");
  }
  const cluster = spec.get("cluster") ?? undefined;
  return { apiVersion, interactive, ...(cluster === undefined ? {} : { cluster: readCluster(cluster) }) };
}

const clusterFields: Readonly<Record<Exclude<keyof ExecCluster, "config">, "string" | "boolean">> = {
  server: "string",
  "tls-server-name": "string",
  "insecure-skip-tls-verify": "boolean",
  "certificate-authority-data": "string",
  "proxy-url": "string",
  "disable-compression": "boolean",
};

function readCluster(value: unknown): ExecCluster {
  const told = fieldsOf(value, "spec.cluster");
  const fields = Object.entries(clusterFields).flatMap(([name, type]) => {
    const field = told.get(name) ?? undefined;
    if (field !== undefined && typeof field !== type) {
      throw invalid(`spec.cluster.${name} must be a ${type}`);
    }
    return field === undefined ? [] : [[name, field] as const];
  });
  const server = told.get("server");
  if (typeof server !== "string" || !URL.canParse(server)) {
    throw invalid("spec.cluster.server must be a URL");
  }
  const config = told.get("config") ?? undefined;
  return { ...Object.fromEntries(fields), server, ...(config === undefined ? {} : { config }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("is not JSON");
  }
}

function fieldsOf(value: unknown, what: string): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${what} must be an object`);
  }
  return new Map(Object.entries(value));
}

function invalid(what: string): CredentialError {
  return new CredentialError(`${execInfoVariable}: ${what}`);
}
