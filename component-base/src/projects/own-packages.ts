import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";

/** A package of Gatehouse on this machine. */
export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  /** Path of the folder, with links resolved. */
  readonly folder: string;
}

/**
 * Finds packages as a program in the file `from` (a URL) does, with those of ours that they depend on. Rejects with
 * ConfigurationError when one is not installed.
 */
export async function ownPackages(named: readonly string[], from: string): Promise<readonly OwnPackage[]> {
  const found = new Map<string, OwnPackage>();
  const add = async (name: string): Promise<void> => {
    const folder = await folderOf(name, from);
    const { version, dependencies = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    found.set(name, { name, version, folder });
    for (const dependency of Object.keys(dependencies)) {
      if (dependency.startsWith("@gatehouse/") && !found.has(dependency)) {
        await add(dependency);
      }
    }
  };
  for (const name of named) {
    if (!found.has(name)) {
      await add(name);
    }
  }
  return [...found.values()];
}

/**
 * Reports whether npm has installed the package from a registry, where other machines find it, too. Packages of a
 * checkout or of tarballs, and those of unknown origin, are not from one.
 */
export async function isFromRegistry({ name, folder }: OwnPackage): Promise<boolean> {
  const path = join("node_modules", ...name.split("/"));
  if (!folder.endsWith(sep + path)) {
    return false;
  }
  const record = join(folder.slice(0, -path.length), "node_modules", ".package-lock.json");
  const text = await readFile(record, "utf8").catch(() => "{}");
  const resolved: unknown = JSON.parse(text).packages?.[path.split(sep).join("/")]?.resolved;
  return typeof resolved === "string" && /^https?:/.test(resolved);
}

/** Finds the folder of a package as Node.js does, in the `node_modules` above the program. */
async function folderOf(name: string, from: string): Promise<string> {
  const places = createRequire(from).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find((each) => existsSync(join(each, "package.json")));
  if (folder === undefined) {
    throw new ConfigurationError("package", [problemAt(name, "is not installed beside this program")]);
  }
  return await realpath(folder);
}
