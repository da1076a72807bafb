// Makes what a release consists of, in dist/: executables, archives, packages and images, with checksums. See
// docs/guides/release.md. Usage, after a build: node scripts/release/main.mjs [--platform=NAME ...] [--output=FOLDER]
// [--download-url=URL]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { applicationFiles } from "./application-files.mjs";
import { writeArchive } from "./archive.mjs";
import { writeEnvtestArchive, writeEnvtestIndex } from "./envtest-release.mjs";
import { writeExecutable } from "./executable.mjs";
import { ownPlatform, platforms } from "./platforms.mjs";

const { values } = parseArgs({
  options: {
    platform: { type: "string", multiple: true },
    output: { type: "string", default: "dist" },
    // The URL of the folder that the archives will be downloaded from; without it, there is no index for setup-envtest.
    "download-url": { type: "string" },
  },
});

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
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const envtestArchives = [];
  for (const platform of chosen) {
    const executable = join(work, "gatehouse");
    await writeExecutable(platform, await applicationFiles(platform), executable);
    const entries = [
      { name: "gatehouse", mode: 0o755, source: executable },
      { name: "LICENSE", source: join(root, "LICENSE") },
    ];
    await writeArchive(join(output, `gatehouse-${version}-${platform}.tar.gz`), entries, time);
    envtestArchives.push(await writeEnvtestArchive(output, platform, executable, time));
  }
  if (values["download-url"] !== undefined) {
    writeEnvtestIndex(output, envtestArchives, values["download-url"]);
  }
  writeChecksums(output);
}

/** Writes the sha256 of every file in the form that `sha256sum --check` reads. */
function writeChecksums(output) {
  const lines = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${createHash("sha256").update(readFileSync(path)).digest("hex")}  ${relative(output, path)}\n`);
  writeFileSync(join(output, "SHA256SUMS"), lines.join(""));
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
