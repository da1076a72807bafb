import type { Document } from "yaml";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/problem.js";
import type { ExecPluginConfig } from "./client-config.js";
import {
  entriesOf,
  lockAsKubectlDoes,
  namesOf,
  readKubeconfigDocument,
  setNamed,
  writeKubeconfigDocument,
} from "./kubeconfig-document.js";

/** A user that logs in through a credential plugin, and the context that joins it to a cluster. */
export interface ExecUserEntry {
  readonly userName: string;
  readonly exec: Omit<ExecPluginConfig, "cluster"> & { readonly provideClusterInfo: boolean };
  /** `USER@CLUSTER` when left out. */
  readonly contextName?: string;
  /** An entry of the file; the cluster of its current context when left out. */
  readonly clusterName?: string;
  /** True if the context becomes the current one. */
  readonly use: boolean;
}

/**
 * Adds the user and the context to a kubeconfig, in place of those of the same names; everything else stays as it is,
 * comments too. Returns the name of the context. Throws ConfigurationError when the file cannot be used, or somebody else
 * changes it at the moment.
 */
export async function setExecUser(path: string, entry: ExecUserEntry): Promise<string> {
  await using _ = await lockAsKubectlDoes(path);
  const file = await readKubeconfigDocument(path);
  if (file === undefined) {
    throw new ConfigurationError("kubeconfig", [problemAt(path, "cannot be read (ENOENT)")]);
  }
  const { document } = file;
  const clusterName = entry.clusterName ?? clusterOfCurrentContext(document);
  if (clusterName === undefined || !namesOf(document, "clusters").includes(clusterName)) {
    const what = clusterName === undefined ? "there is no current context" : `there is no cluster ${clusterName}`;
    throw new ConfigurationError("kubeconfig", [problemAt(path, `${what}; name one of its clusters`)]);
  }
  setNamed(document, "users", entry.userName, "user", { exec: execEntry(entry.exec) });
  const contextName = entry.contextName ?? `${entry.userName}@${clusterName}`;
  setNamed(document, "contexts", contextName, "context", { cluster: clusterName, user: entry.userName });
  if (entry.use) {
    document.set("current-context", contextName);
  }
  await writeKubeconfigDocument(path, file);
  return contextName;
}

function execEntry({
  apiVersion,
  command,
  args,
  env,
  ...rest
}: ExecUserEntry["exec"]): Readonly<Record<string, unknown>> {
  return {
    apiVersion,
    command,
    args,
    env: env.length === 0 ? null : env,
    ...(rest.installHint === undefined ? {} : { installHint: rest.installHint }),
    interactiveMode: rest.interactiveMode,
    provideClusterInfo: rest.provideClusterInfo,
  };
}

function clusterOfCurrentContext(document: Document): string | undefined {
  const current = document.get("current-context");
  const contexts = entriesOf(document, "contexts").map((entry) => Object.assign({ name: "", context: {} }, entry));
  const context = contexts.find(({ name }) => name === current)?.context;
  const { cluster } = Object.assign({ cluster: undefined }, context);
  return typeof cluster === "string" ? cluster : undefined;
}
