import { open, readFile, rm } from "node:fs/promises";
import type { Document } from "yaml";
import { ConfigurationError } from "../errors.js";
import { writeFileAtomic } from "../files/write-file-atomic.js";
import { problemAt } from "../problems/problem.js";

/** The lists of a kubeconfig whose entries have names. */
export type KubeconfigList = "clusters" | "contexts" | "users";

/** A kubeconfig that is being edited. */
export interface KubeconfigFile {
  readonly document: Document;
  /** True if the file indents the entries of lists, which kubectl does not. */
  readonly indentsLists: boolean;
}

/**
 * Reads a kubeconfig as a document that keeps comments and order; undefined when there is no file. Throws
 * ConfigurationError for what is not a map in valid YAML.
 */
export async function readKubeconfigDocument(path: string): Promise<KubeconfigFile | undefined> {
  const { isMap, parseDocument } = await import("yaml");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return undefined;
    }
    throw new ConfigurationError("kubeconfig", [problemAt(path, `cannot be read (${error.code})`)]);
  });
  if (text === undefined) {
    return undefined;
  }
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new ConfigurationError("kubeconfig", [problemAt(path, "is not a map in valid YAML")]);
  }
  return { document, indentsLists: /^(clusters|contexts|users):\s*\n +- /m.test(text) };
}

/** Stores the document, readable by its owner only. */
export async function writeKubeconfigDocument(path: string, file: KubeconfigFile): Promise<void> {
  const text = file.document.toString({ lineWidth: 0, indentSeq: file.indentsLists });
  await writeFileAtomic(path, text, { mode: 0o600 });
}

/** The entries of a list; none when the document has no such list. */
export function entriesOf(document: Document, list: KubeconfigList): readonly unknown[] {
  const entries: unknown = Object.assign({ [list]: undefined }, document.toJS({ maxAliasCount: 0 }))[list];
  return Array.isArray(entries) ? entries : [];
}

/** The names of the entries of a list, in their order. */
export function namesOf(document: Document, list: KubeconfigList): readonly unknown[] {
  return entriesOf(document, list).map((entry) => Object.assign({ name: undefined }, entry).name);
}

/** Sets `key` of the entry with this name, which is added when the list has none. */
export function setNamed(document: Document, list: KubeconfigList, name: string, key: string, value: object): void {
  const index = namesOf(document, list).indexOf(name);
  if (index >= 0) {
    document.setIn([list, index, key], document.createNode(value));
  } else if (entriesOf(document, list).length > 0) {
    document.addIn([list], document.createNode({ name, [key]: value }));
  } else {
    document.set(list, document.createNode([{ name, [key]: value }]));
  }
}

/** Makes the file beside a kubeconfig that kubectl makes while it changes one. Throws ConfigurationError when it exists. */
export async function lockAsKubectlDoes(path: string): Promise<AsyncDisposable> {
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
