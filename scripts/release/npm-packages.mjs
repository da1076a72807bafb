// Packs the workspaces that are published, with what the registry needs to show where they come from: the repository, and
// that they are published with provenance. Nothing is published here.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeArchive } from "../../component-base/dist/images/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readManifest = (workspace) => JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));

/** Writes a tarball for each public workspace into `output`. `repository` is its URL, or undefined where it is not known. */
export async function writeNpmPackages(output, { repository, time, work }) {
  mkdirSync(output, { recursive: true });
  const folder = mkdtempSync(join(work, "npm-"));
  const workspaces = readManifest(".").workspaces.filter((workspace) => readManifest(workspace).private !== true);
  const flags = workspaces.map((workspace) => `--workspace=${workspace}`);
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", `--pack-destination=${folder}`, ...flags], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 26,
  });
  const tarballs = Object.values(JSON.parse(packed));
  for (const workspace of workspaces) {
    const { filename } = tarballs.find(({ name }) => name === readManifest(workspace).name);
    const content = mkdtempSync(join(work, "package-"));
    execFileSync("tar", ["-xzf", join(folder, filename), "--strip-components=1", "-C", content]);
    const manifest = publishedManifest(readManifest(workspace), workspace, repository);
    await writeArchive(join(output, filename), entriesOf(content, manifest), time);
    rmSync(content, { recursive: true });
  }
}

/** Returns the manifest of a package as it is published. Throws a sentence when the registry would refuse it. */
export function publishedManifest(manifest, workspace, repository) {
  const missing = ["name", "version", "description", "license", "files"].filter(
    (field) => manifest[field] === undefined,
  );
  if (missing.length > 0) {
    throw new Error(`${workspace}/package.json: ${missing.join(", ")} is missing, so it cannot be published`);
  }
  return {
    ...manifest,
    ...(repository !== undefined && {
      repository: { type: "git", url: `git+${repository.replace(/(?:\.git)?\/?$/, ".git")}`, directory: workspace },
    }),
    publishConfig: { access: "public", provenance: true },
  };
}

function entriesOf(folder, manifest) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: `package/${relative(folder, path)}`,
      source: path,
      mode: statSync(path).mode & 0o111 ? 0o755 : 0o644,
    }))
    .filter(({ name }) => !["package/package.json", "package/LICENSE"].includes(name));
  return [
    ...entries,
    { name: "package/package.json", contents: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { name: "package/LICENSE", source: join(root, "LICENSE") },
  ];
}
