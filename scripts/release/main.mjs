// Makes what a release consists of, in dist/: executables, archives, packages and images, with checksums. See
// docs/guides/release.md. Usage, after a build: node scripts/release/main.mjs [--platform=NAME ...] [--output=FOLDER]
// [--download-url=URL] [--repository=URL]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeArchive, writeImageLayout } from "../../component-base/dist/images/index.js";
import { applicationFiles } from "./application-files.mjs";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { readContainerfile } from "./containerfile.mjs";
import { writeEnvtestArchive, writeEnvtestIndex } from "./envtest-release.mjs";
import { writeExecutable } from "./executable.mjs";
import { imageEntries } from "./image-files.mjs";
import { licenseEntries } from "./licenses.mjs";
import { writeNpmPackages } from "./npm-packages.mjs";
import { ownPlatform, platforms } from "./platforms.mjs";

const { values } = parseArgs({
  options: {
    platform: { type: "string", multiple: true },
    output: { type: "string", default: "dist" },
    // The URL of the folder that the archives will be downloaded from; without it, there is no index for setup-envtest.
    "download-url": { type: "string" },
    // The URL of the repository, for the packages of npm.
    repository: { type: "string" },
  },
});

const checksums = "SHA256SUMS";
/** The file that marks a release under way, so that the next one may replace it. */
const unfinished = ".unfinished";
const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

async function main() {
  const chosen = values.platform ?? Object.keys(platforms);
  const unknown = chosen.filter((name) => !Object.hasOwn(platforms, name));
  if (unknown.length > 0) {
    throw new Error(`unknown platform ${unknown.join(", ")}; choose among ${Object.keys(platforms).join(", ")}`);
  }
  if (ownPlatform === undefined) {
    throw new Error(
      `releases are made on ${Object.keys(platforms).join(", ")}, not on ${process.platform}-${process.arch}`,
    );
  }
  const output = resolve(values.output);
  const time = sourceTime();
  emptyOutput(output);
  const images = readContainerfile(readFileSync(join(root, "deploy/containers/Containerfile"), "utf8"));
  const envtestArchives = [];
  for (const platform of chosen) {
    const executable = join(work, "gatehouse");
    const files = await applicationFiles(platform);
    await writeExecutable(platform, files, executable);
    const name = `gatehouse-${version}-${platform}`;
    writeFileSync(join(output, `${name}.cdx.json`), billOfMaterials(files, { version, time }));
    const entries = [{ name: "gatehouse", mode: 0o755, source: executable }, ...licenseEntries()];
    await writeArchive(join(output, `${name}.tar.gz`), entries, time);
    envtestArchives.push(await writeEnvtestArchive(output, platform, executable, time));
    if (platform.startsWith("linux-")) {
      const entries = imageEntries(platform, files, images);
      await writeImageLayout(join(output, `${name}-images`), {
        entries,
        images,
        platform,
        version,
        time,
        createdBy: "npm run dist",
      });
    }
  }
  await writeNpmPackages(join(output, "npm"), { repository: repositoryUrl(), time, work });
  if (values["download-url"] !== undefined) {
    writeEnvtestIndex(output, envtestArchives, values["download-url"]);
  }
  rmSync(join(output, unfinished));
  writeChecksums(output);
}

/** Makes an empty folder for the release. Removes an earlier release, and refuses a folder of anything else. */
function emptyOutput(output) {
  const names = existsSync(output) ? readdirSync(output) : [];
  if (names.length > 0 && !names.some((name) => name === unfinished || name === checksums)) {
    throw new Error(`${output} is not empty, and is no earlier release; remove it, or choose another --output`);
  }
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, unfinished), "");
}

/** Writes the sha256 of every file in the form that `sha256sum --check` reads. */
function writeChecksums(output) {
  const lines = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${relative(output, path)}\n`);
  writeFileSync(join(output, checksums), lines.join(""));
}

/** Returns the URL of the repository, which GitHub tells its actions. */
function repositoryUrl() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return values.repository ?? (server && name ? `${server}/${name}` : undefined);
}

/** Returns the time in seconds that everything is dated: that of the commit, so that two builds are the same. */
function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  return Number(given ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }));
}

const work = mkdtempSync(join(tmpdir(), "gatehouse-release-"));
try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}
