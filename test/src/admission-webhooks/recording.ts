import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { conditionsPrefix } from "./cases/conditions.js";
import { drawnPrefix } from "./cases/drawn.js";
import { wirePrefix } from "./cases/wire.js";
import type { CaseOutcome } from "./run-case.js";

type Recording = Readonly<Record<string, CaseOutcome>>;

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../src/admission-webhooks/${name}`, import.meta.url));

/**
 * Paths of the answers of kube-apiserver v1.29.0; beside the source, because they are data. Random cases, those
 * that are sent in four ways, and those of match conditions are in the packed file, since nobody reads them.
 */
const written = fileOf("recorded.json");
const packed = fileOf("recorded-packed.json.br");

/** Outcomes by the names of cases. */
export function readRecording(): Recording {
  return {
    ...(JSON.parse(readFileSync(written, "utf8")) as Recording),
    ...(JSON.parse(brotliDecompressSync(readFileSync(packed)).toString()) as Recording),
  };
}

/** One line for each case, so that a difference shows where it is. */
export function writeRecording(outcomes: Recording): void {
  const isPacked = ([name]: readonly [string, CaseOutcome]): boolean =>
    [drawnPrefix, wirePrefix, conditionsPrefix].some((prefix) => name.startsWith(prefix));
  const entries = Object.entries(outcomes);
  const lines = entries
    .filter((entry) => !isPacked(entry))
    .map(([name, outcome]) => `${JSON.stringify(name)}: ${JSON.stringify(outcome)}`);
  writeFileSync(written, `{\n${lines.join(",\n")}\n}\n`);
  writeFileSync(packed, brotliCompressSync(JSON.stringify(Object.fromEntries(entries.filter(isPacked)))));
}
