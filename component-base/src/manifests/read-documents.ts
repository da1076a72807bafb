import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { YamlDocumentError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";

/** One document of a file. */
export interface SourceDocument {
  readonly file: string;
  /** Line at which the document begins, from 1. */
  readonly line: number;
  /** The text of the document, from its line on. */
  readonly text: string;
  /** Position in the list that the document is; absent when it is no list. */
  readonly item?: number;
  readonly content: JsonObject;
}

/** Error of a document that cannot be read, or is no object. */
export class DocumentError extends ConfigurationError {
  readonly file: string;
  /** Line of the document, or of its mistake, from 1. */
  readonly line: number;
  /** The problem, as a sentence. */
  readonly text: string;

  constructor(file: string, line: number, text: string) {
    super(file, [problemAt(`line ${line}`, text)]);
    this.file = file;
    this.line = line;
    this.text = text;
  }
}

/**
 * Returns the YAML and JSON files of a folder and of its folders, in the order of their names; or the file itself.
 * Throws ConfigurationError when there is no such path.
 */
export async function listDocumentFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new ConfigurationError(path, [problemAt("path", "there is no such file or folder")]);
  }
  if (!found.isDirectory()) {
    return [path];
  }
  const entries = await readdir(path, { withFileTypes: true });
  const lists = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const child = join(path, entry.name);
        return entry.isDirectory()
          ? await listDocumentFiles(child)
          : /\.(?:ya?ml|json)$/.test(entry.name)
            ? [child]
            : [];
      }),
  );
  return lists.flat();
}

/**
 * Returns all documents of a file, read as kubectl and API servers read them; empty ones are left out. Throws
 * DocumentError for one that is no YAML, or no object.
 */
export async function readDocuments(file: string): Promise<SourceDocument[]> {
  return await documentsIn(file, await readFile(file, "utf8"));
}

/** Reads the objects of a file: its documents, and the items of those that are lists. Throws DocumentError. */
export async function readObjects(file: string): Promise<SourceDocument[]> {
  return await objectsIn(file, await readFile(file, "utf8"));
}

/** Reads the objects of a text, as `readObjects` reads those of a file. `file` names the source. Throws DocumentError. */
export async function objectsIn(file: string, text: string): Promise<SourceDocument[]> {
  return (await documentsIn(file, text)).flatMap(itemsOf);
}

async function documentsIn(file: string, content: string): Promise<SourceDocument[]> {
  const documents = await parseYamlDocuments(content).catch((error: unknown) => {
    throw error instanceof YamlDocumentError
      ? new DocumentError(file, error.line, `is not valid YAML: ${error.message}`)
      : error;
  });
  return documents.map(({ line, text, value }) => {
    if (!isJsonObject(value)) {
      throw new DocumentError(file, line, "is not an object");
    }
    return { file, line, text, content: value };
  });
}

/** Returns the items of a list; those of a DeploymentList are Deployments, although they do not name their kind. */
function itemsOf(source: SourceDocument): SourceDocument[] {
  const { items, kind, apiVersion = null } = source.content;
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) {
    return [source];
  }
  const head = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.map((item, index) => {
    if (!isJsonObject(item)) {
      throw new DocumentError(source.file, source.line, `items[${index}]: is not an object`);
    }
    return { ...source, item: index, content: { ...head, ...item } };
  });
}
