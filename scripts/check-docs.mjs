// Checks documentation. Of all exported declarations of each workspace, at least 95 in a hundred have a doc comment;
// those without one are printed when there are too many, or with --all. Links and paths in documents lead somewhere.
// Usage: node scripts/check-docs.mjs [--all] [ROOT]
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brokenReferences } from "./document-references.mjs";

const wantedShare = 0.95;
/** Workspaces that nobody imports; their tests and benchmarks explain themselves. */
const withoutReaders = new Set(["test", "bench"]);
const skippedFolders = new Set(["node_modules", "dist", "generated"]);
const declaration =
  /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum) (\w+)/;

/** Returns for each workspace the number of exports, and those without a doc comment as `file:line: name`. */
export function undocumentedExports(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return workspaces
    .filter((workspace) => !withoutReaders.has(workspace))
    .map((workspace) => {
      let count = 0;
      const missing = [];
      for (const file of [...sourceFiles(join(root, workspace))].sort()) {
        const lines = readFileSync(file, "utf8").split("\n");
        for (const [index, line] of lines.entries()) {
          const name = declaration.exec(line)?.[1];
          if (name !== undefined) {
            count++;
            // The second and later signatures of an overload are not looked at: they share the first one's comment.
            const before = lines[index - 1] ?? "";
            if (!before.trimEnd().endsWith("*/") && !before.startsWith(`export function ${name}`)) {
              missing.push(`${relative(root, file)}:${index + 1}: ${name}`);
            }
          }
        }
      }
      return { workspace, count, missing };
    });
}

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) {
      yield* sourceFiles(path);
    } else if (entry.isFile() && /\.ts$/.test(entry.name) && !/\.(?:test|d)\.ts$|\.test\.support\./.test(entry.name)) {
      yield path;
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const root = resolve(given ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
  const showAll = process.argv.includes("--all");
  for (const { workspace, count, missing } of undocumentedExports(root)) {
    const share = count === 0 ? 1 : 1 - missing.length / count;
    const isEnough = share >= wantedShare;
    if (showAll || !isEnough) {
      for (const line of missing) {
        console.log(line);
      }
    }
    console.log(`docs: ${workspace}: ${(100 * share).toFixed(1)}% of ${count} exports${isEnough ? "" : ", too few"}`);
    if (!isEnough) {
      process.exitCode = 1;
    }
  }
  for (const problem of brokenReferences(root)) {
    console.log(problem);
    process.exitCode = 1;
  }
}
