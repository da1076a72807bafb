// Compiles envelopes/idl to the precompiled schema and to TypeScript types. Run by `npm run build` before anything else.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const envelopes = fileURLToPath(new URL("../../", import.meta.url));
const idlFolder = join(envelopes, "idl");
const outputFolder = join(envelopes, "src", "generated");
const stampFile = join(outputFolder, "inputs.sha256");
/**
 * The file with the types of the tables, copied for their readers: this compiler is no part of the published package.
 */
const tableTypes = fileURLToPath(new URL("../src/table.ts", import.meta.url));

await main();

async function main(): Promise<void> {
  const sources = readdirSync(idlFolder)
    .filter((file) => file.endsWith(".proto") && file !== "options.proto")
    .sort()
    .map((file) => ({ name: file.slice(0, -".proto".length), text: readFileSync(join(idlFolder, file), "utf8") }));
  const tableSource = readFileSync(tableTypes, "utf8");
  const stamp = fingerprint([...sources.map((source) => source.text), tableSource]);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) {
    return;
  }
  // Imported only when there is work to do: loading protobufjs takes longer than everything above.
  const [{ readIdl }, { toDescriptionTable, toSchemaTable }, { toTypesIndex, toTypesModules }] = await Promise.all([
    import("./read-idl.js"),
    import("./write-table.js"),
    import("./write-types.js"),
  ]);
  const files = readIdl(sources);
  const modules = toTypesModules(files);
  const outputs = new Map([
    ["table.ts", `// Generated from envelopes/idl-compiler/src/table.ts; do not edit.\n${tableSource}`],
    ["schema-table.ts", textModule("schemaTable", toSchemaTable(files))],
    ["description-table.ts", textModule("descriptionTable", toDescriptionTable(files))],
    ["index.ts", toTypesIndex(modules)],
    ...modules.map((module) => [`${module.fileName}.ts`, module.text] as const),
  ]);
  mkdirSync(outputFolder, { recursive: true });
  // Without its stamp the folder counts as stale, should this be interrupted.
  rmSync(stampFile, { force: true });
  for (const file of readdirSync(outputFolder)) {
    if (!outputs.has(file)) {
      rmSync(join(outputFolder, file));
    }
  }
  for (const [file, text] of outputs) {
    writeIfChanged(join(outputFolder, file), text);
  }
  writeFileSync(stampFile, stamp);
}

/** Returns a digest of the IDL and this compiler: a change of either makes the outputs stale. */
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

/** Writes a file unless it is unchanged: its time stamp stays, so that `tsc -b` has nothing to do. */
function writeIfChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    writeFileSync(file, text);
  }
}

/**
 * Returns a module with a table as JSON text: a string costs next to nothing until it is parsed, and reading a module
 * is no input or output of the package. The annotation keeps the text out of the declaration file.
 */
function textModule(name: string, table: unknown): string {
  const text = JSON.stringify(JSON.stringify(table));
  return `// Generated from envelopes/idl by envelopes/idl-compiler; do not edit.\nexport const ${name}: string =\n  ${text};\n`;
}
