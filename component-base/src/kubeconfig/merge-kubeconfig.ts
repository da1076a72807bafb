import { isDeepStrictEqual } from "node:util";
import type { Document } from "yaml";
import {
  entriesOf,
  type KubeconfigFile,
  type KubeconfigList,
  lockAsKubectlDoes,
  readKubeconfigDocument,
  setNamed,
  writeKubeconfigDocument,
} from "./kubeconfig-document.js";

/** A cluster, a user and the context that joins them, as a program wants them in a kubeconfig that others may edit. */
export interface KubeconfigEntries {
  readonly clusterName: string;
  /** Fields of the cluster, as the file spells them (`server`). Other fields of an entry that is there stay. */
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly userName: string;
  /** Fields of the user, as the file spells them. Other fields of an entry that is there stay. */
  readonly user: Readonly<Record<string, unknown>>;
}

/**
 * Makes a kubeconfig hold these entries and changes nothing else: other clusters, users and contexts, a namespace, the
 * current context and comments stay. Makes the file, with mode 0600, when there is none; leaves one that holds the
 * entries already as it is, byte by byte. The context is `USER@CLUSTER`, and current when no other is. Throws
 * ConfigurationError when the file is not a kubeconfig, or another program is changing it.
 */
export async function mergeKubeconfig(path: string, entries: KubeconfigEntries): Promise<void> {
  const stored = await readKubeconfigDocument(path);
  if (stored !== undefined && !mergeInto(stored.document, entries)) {
    return;
  }
  await using _ = await lockAsKubectlDoes(path);
  // Read again: it may have been changed until the lock was taken.
  const file = (await readKubeconfigDocument(path)) ?? (await emptyKubeconfig());
  mergeInto(file.document, entries);
  await writeKubeconfigDocument(path, file);
}

async function emptyKubeconfig(): Promise<KubeconfigFile> {
  const { Document } = await import("yaml");
  return { document: new Document({ apiVersion: "v1", kind: "Config", preferences: {} }), indentsLists: false };
}

/** Returns whether that has changed anything. */
function mergeInto(document: Document, { clusterName, cluster, userName, user }: KubeconfigEntries): boolean {
  const contextName = `${userName}@${clusterName}`;
  const changes = [
    mergeEntry(document, "clusters", clusterName, "cluster", cluster),
    mergeEntry(document, "users", userName, "user", user),
    mergeEntry(document, "contexts", contextName, "context", { cluster: clusterName, user: userName }),
  ];
  if (!document.get("current-context")) {
    document.set("current-context", contextName);
    changes.push(true);
  }
  return changes.includes(true);
}

function mergeEntry(
  document: Document,
  list: KubeconfigList,
  name: string,
  key: string,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  const entries = entriesOf(document, list).map((entry) => Object.assign({ name: undefined }, entry));
  const index = entries.findIndex((entry) => entry.name === name);
  const stored: unknown = Object.assign({ [key]: undefined }, entries[index])[key];
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) {
    setNamed(document, list, name, key, wanted);
    return true;
  }
  const outdated = Object.entries(wanted).filter(
    ([field, value]) => !isDeepStrictEqual(Object.assign({ [field]: undefined }, stored)[field], value),
  );
  for (const [field, value] of outdated) {
    document.setIn([list, index, key, field], document.createNode(value));
  }
  return outdated.length > 0;
}
