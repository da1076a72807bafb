// Checks what `npm pack` puts into each workspace that is published: compiled sources and nothing of the tests, of which a
// strict TypeScript project can use everything. Checks, too, that all that is installed runs on the oldest Node.js that is
// supported, and that the lock file holds what each platform needs. Prints every violation and exits with 1 if there is one. Usage, after a build: node scripts/check-packages.mjs
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { minVersion, satisfies } from "semver";
import { lintPackages } from "./lint-packages.mjs";
import { findUnusable, makeConsumer, packWorkspaces } from "./packed-consumer.mjs";

/** Pattern of the path of a file that belongs to the tests. */
const testFile = /\.test\.|\.tst\.|(^|[/.-])(fixtures?|mocks?)([/.-]|$)/;

/** Returns the problems of a package with these files, as sentences. */
export function findMisplaced(workspace, manifest, paths) {
  const packed = new Set(paths);
  const violations = paths
    .filter((path) => testFile.test(path))
    .map((path) => `${workspace}: ${path} belongs to the tests, so it must not be published`);
  const entries = [...Object.values(manifest.bin ?? {}), ...entriesOf(manifest.exports)];
  for (const entry of new Set(entries.map((path) => path.replace(/^\.\//, "")))) {
    if (!packed.has(entry)) {
      violations.push(`${workspace}: ${entry} is named by package.json but would not be published`);
    }
  }
  return violations;
}

/** Returns the dependencies of a package that are never published, as sentences. */
export function findUnpublished(workspace, manifest, privateNames) {
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
    .filter((name) => privateNames.has(name))
    .map((name) => `${workspace}: ${name} is private, so it must not be among the dependencies`);
}

/**
 * Returns the packages of a lock file that do not run on the oldest Node.js that `engines` of the root allows, as
 * sentences.
 */
export function findTooNew(lock) {
  const oldest = minVersion(lock.packages[""].engines.node);
  return Object.entries(lock.packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([path, { version, engines }]) => `${path} ${version} needs Node.js ${engines.node}, we support ${oldest}`);
}

/**
 * Returns the optional dependencies that a lock file does not hold, as sentences. npm leaves out what the registry does not
 * have, and then refuses to install projects of other people by such a lock (npm/cli#9846).
 */
export function findLeftOut({ packages }) {
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${path} ${version} needs ${name}, which package-lock.json does not hold`),
  );
}

/** Returns the folders in which Node.js looks for packages that the package in a folder imports, each with a slash. */
function foldersAbove(path) {
  const parts = path.split("/");
  return ["", ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`)];
}

/** The files that `exports` leads to, whatever the conditions. */
function entriesOf(exports) {
  if (typeof exports === "string") {
    return [exports];
  }
  return Object.values(exports ?? {}).flatMap(entriesOf);
}

async function checkPackages(root, { version, oldestNode }, folder) {
  const readManifest = (workspace) => JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
  const manifests = new Map(readManifest(".").workspaces.map((workspace) => [workspace, readManifest(workspace)]));
  const isPrivate = ({ private: it }) => it === true;
  const privateNames = new Set([...manifests.values()].filter(isPrivate).map(({ name }) => name));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const common = [
    ...findTooNew(lock),
    ...findLeftOut(lock),
    ...[...manifests].flatMap(([workspace, manifest]) => findMisstated(workspace, manifest, { version, oldestNode })),
  ];
  const published = [...manifests].filter(([, manifest]) => !isPrivate(manifest));
  const unbuilt = published
    .filter(([workspace]) => !existsSync(join(root, workspace, "dist")))
    .map(([workspace]) => `${workspace}: there is no dist; run npm run build first`);
  if (unbuilt.length > 0) {
    return [...common, ...unbuilt];
  }
  const workspaces = published.map(([workspace]) => workspace);
  const packed = packWorkspaces(root, workspaces, join(folder, "tarballs"));
  makeConsumer(join(folder, "consumer"), root, packed);
  return [
    ...common,
    ...published.flatMap(([workspace, manifest]) => [
      ...findMisplaced(workspace, manifest, packed.get(manifest.name).paths),
      ...findUnpublished(workspace, manifest, privateNames),
    ]),
    ...findUnusable(join(folder, "consumer"), root),
    ...(await lintPackages(packed)),
  ];
}

/** Finds statements of a manifest that the programs contradict. */
function findMisstated(workspace, manifest, { version, oldestNode }) {
  const misversioned =
    manifest.version === version
      ? []
      : [`${workspace}: its version is ${manifest.version}, but its programs say ${version}`];
  const engines =
    manifest.engines.node === `>=${oldestNode}`
      ? []
      : [`${workspace}: its engines are ${manifest.engines.node}, but its programs ask for ${oldestNode}`];
  return [...misversioned, ...engines];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { version } = await import("../component-base/dist/version.js");
  const { oldestNode } = await import("../component-base/dist/commands/supported-node.js");
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-packages-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
  const violations = await checkPackages(root, { version, oldestNode }, folder);
  for (const violation of violations) {
    console.error(violation);
  }
  console.log(violations.length === 0 ? "packages: ok" : `packages: ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
