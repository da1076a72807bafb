// Checks what `npm pack` would put into each workspace that is published: compiled sources, and nothing of the tests.
// Checks, too, that all that is installed runs on the oldest Node.js that is supported. Prints every violation and exits
// with 1 if there is one. Usage, after a build: node scripts/check-packages.mjs
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { minVersion, satisfies } from "semver";

/** What makes a file part of the tests, by its path. */
const testFile = /\.test\.|\.tst\.|(^|[/.-])(fixtures?|mocks?)([/.-]|$)/;

/** What is wrong with a package of these files, as sentences. */
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

/** Which packages that are never published those who install this one would look for in vain, as sentences. */
export function findUnpublished(workspace, manifest, privateNames) {
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
    .filter((name) => privateNames.has(name))
    .map((name) => `${workspace}: ${name} is private, so it must not be among the dependencies`);
}

/** Which packages of a lock file do not run on the oldest Node.js that `engines` of the root allows, as sentences. */
export function findTooNew(lock) {
  const oldest = minVersion(lock.packages[""].engines.node);
  return Object.entries(lock.packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([path, { version, engines }]) => `${path} ${version} needs Node.js ${engines.node}, we support ${oldest}`);
}

/** The files that `exports` leads to, whatever the conditions. */
function entriesOf(exports) {
  if (typeof exports === "string") {
    return [exports];
  }
  return Object.values(exports ?? {}).flatMap(entriesOf);
}

function filesOfPackage(root, workspace) {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: join(root, workspace),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 * 1024 * 1024,
  });
  // One entry of a list up to npm 11, of an object named by the package in later ones.
  const [packed] = Object.values(JSON.parse(output));
  return packed.files.map(({ path }) => path);
}

function checkPackages(root, { version, oldestNode }) {
  const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const manifests = new Map(readManifest(".").workspaces.map((workspace) => [workspace, readManifest(workspace)]));
  const privateNames = new Set([...manifests.values()].filter((each) => each.private === true).map(({ name }) => name));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const ofWorkspaces = [...manifests].flatMap(([workspace, manifest]) => {
    if (manifest.version !== version) {
      return [`${workspace}: its version is ${manifest.version}, but its programs say ${version}`];
    }
    if (manifest.engines.node !== `>=${oldestNode}`) {
      return [`${workspace}: its engines are ${manifest.engines.node}, but its programs ask for ${oldestNode}`];
    }
    if (manifest.private === true) {
      return [];
    }
    if (!existsSync(join(root, workspace, "dist"))) {
      return [`${workspace}: there is no dist; run npm run build first`];
    }
    return [
      ...findMisplaced(workspace, manifest, filesOfPackage(root, workspace)),
      ...findUnpublished(workspace, manifest, privateNames),
    ];
  });
  return [...findTooNew(lock), ...ofWorkspaces];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { version } = await import("../component-base/dist/version.js");
  const { oldestNode } = await import("../component-base/dist/commands/supported-node.js");
  const violations = checkPackages(resolve(fileURLToPath(new URL("..", import.meta.url))), { version, oldestNode });
  for (const violation of violations) {
    console.error(violation);
  }
  console.log(violations.length === 0 ? "packages: ok" : `packages: ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
