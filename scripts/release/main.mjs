// Makes what a release consists of, in dist/: executables, archives, packages and images, with checksums. See
// docs/guides/release.md. Usage, after a build: node scripts/release/main.mjs [--platform=NAME ...] [--output=FOLDER]
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { applicationFiles } from "./application-files.mjs";
import { writeExecutable } from "./executable.mjs";
import { ownPlatform, platforms } from "./platforms.mjs";

const { values } = parseArgs({
  options: { platform: { type: "string", multiple: true }, output: { type: "string", default: "dist" } },
});

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
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const platform of chosen) {
    const target = join(output, `gatehouse-${platform}`);
    await writeExecutable(platform, await applicationFiles(platform), target);
    console.log(target);
  }
}

await main();
