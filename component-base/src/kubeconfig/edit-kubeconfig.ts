import { open, readFile, rm } from "node:fs/promises";
import type { Document } from "yaml";
import { writeFileAtomic } from "../files/write-file-atomic.js";
import { ConfigurationError, problemAt } from "../problems/configuration-error.js";
import type { ExecPluginConfig } from "./client-config.js";

/** A user that logs in through a credential plugin, and the context that joins it to a cluster. */
export interface ExecUserEntry {
  readonly userName: string;
  readonly exec: Omit<ExecPluginConfig, "cluster"> & { readonly provideClusterInfo: boolean };
  /** `USER@CLUSTER` when left out. */
  readonly contextName?: string;
  /** An entry of the file; the cluster of its current context when left out. */
  readonly clusterName?: string;
  /** Whether the context becomes the current one. */
  readonly use: boolean;
}

/**
 * Adds the user and the context to a kubeconfig, in place of those of the same names; everything else stays as it is,
 * comments too. Returns the name of the context. Throws ConfigurationError when the file cannot be used, or somebody else
 * changes it at the moment.
 */
export async function setExecUser(path: string, entry: ExecUserEntry): Promise<string> {
  await using _ = await lockAsKubectlDoes(path);
  const document = await readDocument(path);
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
  await writeFileAtomic(path, document.toString({ lineWidth: 0 }), { mode: 0o600 });
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

async function readDocument(path: string): Promise<Document> {
  const { isMap, parseDocument } = await import("yaml");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError("kubeconfig", [problemAt(path, `cannot be read (${error.code})`)]);
  });
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new ConfigurationError("kubeconfig", [problemAt(path, "is not a map in valid YAML")]);
  }
  return document;
}

function namesOf(document: Document, list: string): readonly unknown[] {
  return entriesOf(document, list).map((entry) => Object.assign({ name: undefined }, entry).name);
}

function entriesOf(document: Document, list: string): readonly unknown[] {
  const entries: unknown = Object.assign({ [list]: undefined }, document.toJS({ maxAliasCount: 0 }))[list];
  return Array.isArray(entries) ? entries : [];
}

function clusterOfCurrentContext(document: Document): string | undefined {
  const current = document.get("current-context");
  const contexts = entriesOf(document, "contexts").map((entry) => Object.assign({ name: "", context: {} }, entry));
  const context = contexts.find(({ name }) => name === current)?.context;
  const { cluster } = Object.assign({ cluster: undefined }, context);
  return typeof cluster === "string" ? cluster : undefined;
}

function setNamed(document: Document, list: string, name: string, key: string, value: object): void {
  const index = namesOf(document, list).indexOf(name);
  if (index >= 0) {
    document.setIn([list, index, key], document.createNode(value));
  } else if (entriesOf(document, list).length > 0) {
    document.addIn([list], document.createNode({ name, [key]: value }));
  } else {
    document.set(list, document.createNode([{ name, [key]: value }]));
  }
}

/** The file beside it that kubectl makes while it changes a kubeconfig. */
async function lockAsKubectlDoes(path: string): Promise<AsyncDisposable> {
  const lock = `${path}.lock`;
  try {
    await (await open(lock, "wx", 0o600)).close();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    const what = code === "EEXIST" ? `${lock} exists: another program changes it` : `cannot be changed (${code})`;
    throw new ConfigurationError("kubeconfig", [problemAt(path, what)]);
  }
  return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
}
