import { existsSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { ConfigurationError } from "../errors.js";
import { type Problem, problemAt } from "../problems/index.js";
import { packedPackages, runNpm } from "./run-npm.js";

/** A file of a package that a project needs at run time. */
export interface PackageFile {
  /** The path below the project, with slashes: `node_modules/yaml/package.json`. */
  readonly path: string;
  /** The path of the file on this machine. */
  readonly source: string;
}

/** A package at its place in the project that is made. */
interface PlacedPackage {
  /** The folder below the project; empty for the project itself. */
  readonly place: string;
  /** The folder on this machine, with links resolved. */
  readonly folder: string;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Lists the files of the packages that the project in a folder needs at run time, as they are installed for this machine: its
 * dependencies and theirs, without source maps and declarations. Packages that are links get a copy of what npm would
 * publish of them, so that the files run without what they were linked to. Rejects with ConfigurationError when a package
 * is not installed.
 */
export async function productionPackages(
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly PackageFile[]> {
  const packages = await placePackages(project);
  const isLinked = ({ folder }: PlacedPackage): boolean => !folder.split(sep).includes("node_modules");
  const published = await publishedFiles(
    packages.filter(isLinked).map(({ folder }) => folder),
    env,
  );
  const files: PackageFile[] = [];
  for (const { place, folder } of packages) {
    const paths = published.get(folder) ?? (await ownFiles(folder));
    files.push(
      ...paths
        .filter((path) => !/\.map$|\.d\.[cm]?ts$/.test(path))
        .map((path) => ({ path: `${place}/${path}`, source: join(folder, path) })),
    );
  }
  return files;
}

/**
 * Places each package where the ones that need it find it: in the topmost `node_modules`, or below the package that needs
 * another one of the same name. Breadth first: all that a package needs has its place before what these need is looked for.
 */
async function placePackages(project: string): Promise<readonly PlacedPackage[]> {
  const problems: Problem[] = [];
  const placed = new Map<string, PlacedPackage>();
  const queue: PlacedPackage[] = [{ place: "", folder: await realpath(project) }];
  for (const needing of queue) {
    for (const { name, isOptional } of await neededBy(needing.folder)) {
      const folder = await installed(name, needing.place === "" ? project : needing.folder);
      if (folder === undefined) {
        if (!isOptional) {
          const by = needing.place === "" ? "the project" : needing.place.replace(/^.*node_modules\//, "");
          problems.push(problemAt(name, `is not installed, and ${by} needs it: run \`npm install\``));
        }
        continue;
      }
      const found = foundFrom(needing.place, name, placed);
      if (found?.folder !== folder) {
        const place = `${found === undefined ? "" : `${needing.place}/`}node_modules/${name}`.replace(/^\//, "");
        const one = { place, folder };
        placed.set(place, one);
        queue.push(one);
      }
    }
  }
  if (problems.length > 0) {
    throw new ConfigurationError("packages", problems);
  }
  return [...placed.values()];
}

async function neededBy(folder: string): Promise<readonly { readonly name: string; readonly isOptional: boolean }[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...new Set([...Object.keys(dependencies), ...peers, ...Object.keys(optionalDependencies)])].map((name) => ({
    name,
    isOptional: name in optionalDependencies,
  }));
}

/** Finds a package in the `node_modules` of a folder and of those above it, as Node.js does. */
async function installed(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) {
      return await realpath(candidate);
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

/** Finds the package that a package at a place gets when it asks for a name. */
function foundFrom(place: string, name: string, placed: ReadonlyMap<string, PlacedPackage>): PlacedPackage | undefined {
  const parts = place === "" ? [] : place.split("/");
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = placed.get([...parts.slice(0, depth), "node_modules", name].join("/"));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Lists the files of a package, without those of the packages in it. */
async function ownFiles(folder: string, below = ""): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== "node_modules") {
      files.push(...(await ownFiles(folder, path)));
    } else if (entry.isFile()) {
      files.push(path);
    }
  }
  return files;
}

/** Lists what npm would publish of the packages in folders. */
async function publishedFiles(
  folders: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (folders.length === 0) {
    return new Map();
  }
  const failure = "the files of linked packages cannot be listed";
  const output = await runNpm(["pack", "--dry-run", "--json", "--ignore-scripts", ...folders], { env, failure });
  const packed = new Map(
    packedPackages<{ readonly name: string; readonly files: readonly { readonly path: string }[] }>(output).map(
      ({ name, files }) => [name, files.map(({ path }) => path)] as const,
    ),
  );
  const named = await Promise.all(
    folders.map(async (folder) => {
      const { name } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      return [folder, packed.get(name) ?? []] as const;
    }),
  );
  return new Map(named);
}
