// Compiles envelopes/idl to the precompiled schema and to TypeScript types. Run by `npm run build` before anything else.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const envelopes = fileURLToPath(new URL("../../", import.meta.url));
const idlFolder = join(envelopes, "idl");
const tableFolder = join(envelopes, "generated");
const typesFolder = join(envelopes, "src", "generated");
const stampFile = join(tableFolder, "inputs.sha256");

await main();

async function main(): Promise<void> {
  const sources = readdirSync(idlFolder)
    .filter((file) => file.endsWith(".proto") && file !== "options.proto")
    .sort()
    .map((file) => ({ name: file.slice(0, -".proto".length), text: readFileSync(join(idlFolder, file), "utf8") }));
  const stamp = fingerprint(sources.map((source) => source.text));
  const outputs = [stampFile, join(tableFolder, "schema.json"), join(typesFolder, "index.ts")];
  if (outputs.every((file) => existsSync(file)) && readFileSync(stampFile, "utf8") === stamp) {
    return;
  }
  // Imported only when there is work to do: loading protobufjs takes longer than everything above.
  const [{ readIdl }, { toDescriptionTable, toSchemaTable }, { toTypesIndex, toTypesModules }] = await Promise.all([
    import("./read-idl.js"),
    import("./write-table.js"),
    import("./write-types.js"),
  ]);
  const files = readIdl(sources);
  mkdirSync(tableFolder, { recursive: true });
  mkdirSync(typesFolder, { recursive: true });
  writeIfChanged(join(tableFolder, "schema.json"), JSON.stringify(toSchemaTable(files)));
  writeIfChanged(join(tableFolder, "descriptions.json"), JSON.stringify(toDescriptionTable(files)));
  const modules = toTypesModules(files);
  removeStale(new Set(["index.ts", ...modules.map((module) => `${module.fileName}.ts`)]));
  for (const module of modules) {
    writeIfChanged(join(typesFolder, `${module.fileName}.ts`), module.text);
  }
  writeIfChanged(join(typesFolder, "index.ts"), toTypesIndex(modules));
  writeFileSync(stampFile, stamp);
}

/** Of the IDL and of this compiler: a change of either makes the outputs stale. */
function fingerprint(texts: readonly string[]): string {
  const hash = createHash("sha256");
  const own = fileURLToPath(new URL("./", import.meta.url));
  for (const file of readdirSync(own).sort()) {
    if (file.endsWith(".js")) {
      hash.update(readFileSync(join(own, file)));
    }
  }
  for (const text of texts) {
    hash.update(text);
  }
  return hash.digest("hex");
}

/** An unchanged file keeps its time stamp, so that `tsc -b` has nothing to do. */
function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    writeFileSync(file, text);
  }
}

function removeStale(current: ReadonlySet<string>): void {
  for (const file of readdirSync(typesFolder)) {
    if (!current.has(file)) {
      rmSync(join(typesFolder, file));
    }
  }
}
