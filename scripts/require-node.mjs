// Ends the script that imports this first when its Node.js is older than package.json asks for, with one sentence and
// exit code 1: what is loaded next would fail in its own words. Programs ask component-base/src/commands/supported-node.ts,
// which is not compiled yet when a checkout is built for the first time.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const oldest = engines.node.replace(">=", "");
const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `gatehouse needs Node.js ${oldest} or newer; this is ${process.versions.node} (${process.execPath})\n`,
  );
  process.exit(1);
}
