import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { ownPackages } from "@gatehouse/component-base/projects";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { namedPackages } from "../scaffold/named-packages.js";

const lockFile = "package-lock.json";

/**
 * Finds the files and folders of the project in the current folder that `npm ci` needs in an image beside package.json
 * and its lock: the dependencies of the lock that are files. Rejects with ConfigurationError when one of them lies
 * outside of the project, or when there is no lock.
 */
export async function imageSources(): Promise<readonly string[]> {
  const entries = await lockedPackages();
  const local = entries.flatMap(([key, { resolved, link, dev }]) =>
    typeof resolved === "string" && dev !== true && (link === true || resolved.startsWith("file:"))
      ? [{ key, path: resolved.replace(/^file:/, "") }]
      : [],
  );
  const outside = local.filter(({ path }) => isOutside(path));
  if (outside.length > 0) {
    const keys = outside.map(({ key, path }) => `${key} (${path})`).join(", ");
    const text = `outside of the project, so the image cannot be built; install copies: ${await remedyFor(outside)}`;
    throw new ConfigurationError(lockFile, [problemAt(keys, text)]);
  }
  return [...new Set(local.map(({ path }) => path))];
}

async function lockedPackages(): Promise<readonly (readonly [string, JsonObject])[]> {
  const text = await readFile(lockFile, "utf8").catch(() => undefined);
  if (text === undefined) {
    const missing = "is missing, and the image is built by `npm ci`: run `npm install` in the folder of the project";
    throw new ConfigurationError("project", [problemAt(lockFile, missing)]);
  }
  const { packages } = parse(text);
  if (!isJsonObject(packages)) {
    throw new ConfigurationError("project", [problemAt(lockFile, "has no packages: npm 7 or newer must write it")]);
  }
  return Object.entries(packages).flatMap(([key, value]) => (isJsonObject(value) ? [[key, value] as const] : []));
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    throw new ConfigurationError("project", [problemAt(lockFile, `is not valid JSON: ${(error as Error).message}`)]);
  }
}

function isOutside(path: string): boolean {
  const way = relative(".", path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/**
 * Returns the command that installs copies. It names all packages of the toolkit, since no registry need have those
 * that they depend on.
 */
async function remedyFor(linked: readonly { readonly path: string }[]): Promise<string> {
  const own = (await ownPackages(namedPackages.runtime, namedPackages.from)).map(({ folder }) => folder);
  const folders = [...new Set([...linked.map(({ path }) => resolve(path)), ...own])];
  return `mkdir -p vendor && npm pack --pack-destination=vendor ${folders.map(shellWord).join(" ")} && npm install ./vendor/*.tgz`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
