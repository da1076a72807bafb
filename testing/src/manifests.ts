import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { Manifest } from "./control-plane-options.js";

/** An object that can be sent to an API server. */
export interface KubernetesObject {
  /** The place in the options that it comes from, for instance `objects[1]`. */
  readonly source: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  /** Name of the object; undefined when the server is to generate one. */
  readonly name: string | undefined;
  readonly content: JsonObject;
}

/** Reads the manifests of an option. Rejects with TypeError that names the one which is not an object of an API. */
export async function readManifests(
  option: string,
  manifests: readonly Manifest[] = [],
): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const [index, manifest] of manifests.entries()) {
    const source = `${option}[${index}]`;
    for (const value of await valuesOf(source, manifest)) {
      objects.push(objectOf(source, value));
    }
  }
  return objects;
}

/**
 * Reads the manifests of a file, or of all files below a folder, by name. Rejects with TypeError that names the file of one
 * which is not an object of an API, and with ENOENT.
 */
export async function readManifestFiles(path: string): Promise<readonly KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  for (const file of await manifestFiles(path)) {
    for (const value of await valuesOf(file, await readFile(file, "utf8"))) {
      objects.push(objectOf(file, value));
    }
  }
  return objects;
}

async function manifestFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) {
    return [path];
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name));
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** Reads the manifests of the option that takes definitions of custom resources only. Rejects with TypeError. */
export async function readDefinitions(
  option: string,
  manifests?: readonly Manifest[],
): Promise<readonly KubernetesObject[]> {
  const definitions = await readManifests(option, manifests);
  const other = definitions.find(({ kind }) => kind !== "CustomResourceDefinition");
  if (other !== undefined) {
    throw new TypeError(`${other.source}: is a ${other.kind}, not a CustomResourceDefinition; use objects`);
  }
  return definitions;
}

async function valuesOf(source: string, manifest: Manifest): Promise<readonly unknown[]> {
  if (typeof manifest !== "string") {
    // As clients write it: dates become text, what is undefined is left out.
    return [JSON.parse(JSON.stringify(manifest))];
  }
  try {
    const values = (await parseYamlDocuments(manifest)).map(({ value }) => value);
    // Templates leave documents empty; `kubectl get -o yaml` writes lists.
    return values.filter((value) => value !== null && value !== undefined).flatMap(itemsOf);
  } catch (error) {
    throw new TypeError(`${source}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  return isJsonObject(value) && value["kind"] === "List" && Array.isArray(value["items"]) ? value["items"] : [value];
}

function objectOf(source: string, value: unknown): KubernetesObject {
  const content = isJsonObject(value) ? value : {};
  const { apiVersion, kind } = content;
  const metadata = isJsonObject(content["metadata"]) ? content["metadata"] : {};
  const { name, namespace, generateName } = metadata;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new TypeError(`${source}: must be an object with apiVersion and kind, or YAML text of such objects`);
  }
  if (typeof name !== "string" && typeof generateName !== "string") {
    throw new TypeError(`${source}: ${kind} must have metadata.name or metadata.generateName`);
  }
  return {
    source,
    apiVersion,
    kind,
    namespace: typeof namespace === "string" ? namespace : undefined,
    name: typeof name === "string" ? name : undefined,
    content,
  };
}
