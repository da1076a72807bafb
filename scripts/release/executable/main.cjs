// The beginning of the executable: finds its files, and runs one of its programs.
"use strict";
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { setFlagsFromString } = require("node:v8");
const { readCommandLine } = require("./command-line.cjs");
const { ownFiles } = require("./own-files.cjs");

const manifest = JSON.parse(getAsset("manifest", "utf8"));

function prepare() {
  const folder = ownFiles(manifest, () => Buffer.from(getRawAsset("files")));
  const line = readCommandLine(process.argv0, process.argv.slice(2), { folder, programs: manifest.programs });
  process.argv.splice(1, process.argv.length, line.script, ...line.args);
  line.v8Flags.forEach((flag) => void setFlagsFromString(flag));
  return { ...line, load: createRequire(join(folder, "/"))("./load.cjs") };
}

async function run({ script, imports, load }) {
  for (const module of imports) {
    await load(module);
  }
  await load(script);
}

let prepared;
try {
  prepared = prepare();
} catch (error) {
  process.stderr.write(`gatehouse: ${error.message}\n`);
  process.exit(1);
}
void run(prepared);
