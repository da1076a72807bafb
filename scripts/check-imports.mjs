// Checks the direction of imports (import-rules.mjs, docs/architecture.md): between workspaces, between the folders of a
// workspace, and cycles between files. Prints every violation and exits with 1 if there is one.
// Usage: node scripts/check-imports.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { folderImports, subpathLimits, testImports, workspaceImports } from "./import-rules.mjs";

const scope = "@gatehouse/";

/** Workspaces whose sources do no input or output. Their tests may, to read fixtures, and so may their build tools. */
const withoutIo = ["envelopes/src", "policies/src"];
const ioModules = new Set(
  "child_process cluster dgram dns fs http http2 https inspector net readline repl tls worker_threads".split(" "),
);

const skippedFolders = new Set(["node_modules", "dist", "bundle", "generated"]);
const sourceFile = /\.(ts|mts|js|mjs)$/;
const isTestSource = (file) => testFile.test(file) || file.includes(".test.support.");
/** Sources are TypeScript: a script among them is for developers, and no package has it. */
const isScript = (file) => file.endsWith(".mjs");
const testFile = /\.test\.(ts|mts|js|mjs)$/;

/** Every violation under `root` as a sentence that starts with the file and line. */
export function checkImports(root) {
  const violations = [];
  const rootPackage = readJson(join(root, "package.json"));
  /** Reports whether a package exports a module of its own under the path: `/resources`. */
  const isEntry = (workspace, path) =>
    Object.hasOwn(readJson(join(root, workspace, "package.json")).exports ?? {}, `.${path}`);
  for (const workspace of rootPackage.workspaces ?? []) {
    const manifest = readJson(join(root, workspace, "package.json"));
    const files = [...sourceFiles(join(root, workspace))].sort();
    const graph = new Map();
    checkListed(root, workspace, violations);
    for (const file of files) {
      const from = toSlashes(relative(root, file));
      const edges = [];
      for (const { specifier, line } of importsOf(readFileSync(file, "utf8"))) {
        const report = (what) => violations.push(`${from}:${line}: ${what}`);
        if (specifier.startsWith(".")) {
          const target = resolveRelative(file, specifier);
          const to = toSlashes(relative(root, target));
          checkRelative({ workspace, from, to, specifier, report });
          edges.push(target);
        } else {
          checkPackage({ workspace, from, specifier, manifest, rootPackage, isEntry, report });
        }
      }
      graph.set(file, edges);
    }
    for (const cycle of findCycles(graph)) {
      const path = [...cycle, cycle[0]].map((file) => toSlashes(relative(root, file)));
      violations.push(`${path[0]}: imports itself in a circle: ${path.join(" -> ")}`);
    }
  }
  return violations;
}

function checkRelative({ workspace, from, to, specifier, report }) {
  if (isScript(from) && isInside(to, "scripts")) {
    return;
  }
  if (!isInside(to, workspace)) {
    report(`the relative import "${specifier}" leaves the workspace ${workspace}; import the package by its name`);
    return;
  }
  const folders = folderImports[workspace];
  // Tests may look at a part through the eyes of those who use it.
  if (folders === undefined || isTestSource(from)) {
    return;
  }
  const [folder, target] = [folderOf(workspace, from), folderOf(workspace, to)];
  if (folder !== target && !folders[folder]?.includes(target)) {
    report(`${workspace}/src/${folder} must not import ${workspace}/src/${target} (${specifier})`);
  }
}

/** Returns the folder below `src` that a file lies in; `.` for `src` itself. */
function folderOf(workspace, path) {
  const parts = path.slice(`${workspace}/src/`.length).split("/");
  return parts.length > 1 ? parts[0] : ".";
}

/** Reports folders of a workspace that no rule names, once each. */
function checkListed(root, workspace, violations) {
  const folders = folderImports[workspace];
  if (!Object.hasOwn(workspaceImports, workspace)) {
    violations.push(`${workspace}: the workspace is not listed in scripts/import-rules.mjs`);
  }
  const source = join(root, workspace, "src");
  if (folders === undefined || !existsSync(source)) {
    return;
  }
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.isDirectory() && !skippedFolders.has(entry.name) && !Object.hasOwn(folders, entry.name)) {
      violations.push(`${workspace}/src/${entry.name}: the folder is not listed in scripts/import-rules.mjs`);
    }
  }
}

function checkPackage({ workspace, from, specifier, manifest, rootPackage, isEntry, report }) {
  if (isBuiltin(specifier)) {
    const module = specifier.replace(/^node:/, "").split("/")[0];
    if (
      ioModules.has(module) &&
      withoutIo.some((folder) => isInside(from, folder)) &&
      !isTestSource(from) &&
      !isScript(from)
    ) {
      report(`${workspace} does no input or output, so it must not import ${specifier}`);
    }
    return;
  }
  const parts = specifier.split("/");
  const name = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  if (name.startsWith(scope)) {
    const target = name.slice(scope.length);
    if (target === workspace) {
      report(`${workspace} imports itself by name; use a relative import`);
      return;
    }
    const allowed = [...(workspaceImports[workspace] ?? []), ...(isTestSource(from) ? testImports : [])];
    if (!allowed.includes(target)) {
      report(`${workspace} must not import ${target} (${specifier})`);
      return;
    }
    const limit = subpathLimits.find((rule) => rule.workspace === target && isInside(from, rule.from));
    if (limit !== undefined && !limit.only.includes(specifier.slice(name.length + 1))) {
      report(`${limit.from} must not import ${specifier}`);
    }
    if (!isEntry(target, specifier.slice(name.length))) {
      report(`"${specifier}" is no entry of ${target}: its package.json does not export the path`);
    }
  }
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
  const development = { ...manifest.devDependencies, ...rootPackage.devDependencies };
  if (!(name in declared) && !(isTestSource(from) && name in development)) {
    report(`${name} is not among the dependencies in ${workspace}/package.json`);
  }
}

/** Static, dynamic and type imports of a formatted source text. Comments are skipped by how their lines begin. */
function importsOf(text) {
  const code = text.replace(/^[ \t]*(\/\/|\/\*|\*).*$/gm, "");
  const patterns = [
    /^(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"'\n]+)["']/gm,
    /^import\s*["']([^"'\n]+)["']/gm,
    /\bimport\(\s*["']([^"'\n]+)["']/g,
    /\b(?:createRequire\([^()\n]*\)|require)\(\s*["']([^"'\n]+)["']/g,
  ];
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[1],
      line: code.slice(0, match.index).split("\n").length,
    })),
  );
}

/** TypeScript sources name each other by the compiled name. */
function resolveRelative(file, specifier) {
  const path = resolve(dirname(file), specifier);
  const source = path.replace(/\.(m?)js$/, ".$1ts");
  return existsSync(source) ? source : path;
}

/** One cycle for each group of files that reach each other (Tarjan's strongly connected components). */
function findCycles(graph) {
  const state = new Map();
  const stack = [];
  const cycles = [];
  function visit(node) {
    const entry = { index: state.size, low: state.size, onStack: true };
    state.set(node, entry);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) {
        continue;
      }
      const known = state.get(next);
      if (known === undefined) {
        entry.low = Math.min(entry.low, visit(next).low);
      } else if (known.onStack) {
        entry.low = Math.min(entry.low, known.index);
      }
    }
    if (entry.low === entry.index) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) {
        state.get(member).onStack = false;
      }
      if (group.length > 1 || (graph.get(node) ?? []).includes(node)) {
        cycles.push(shortestCycle(graph, node, new Set(group)));
      }
    }
    return entry;
  }
  for (const node of graph.keys()) {
    if (!state.has(node)) {
      visit(node);
    }
  }
  return cycles;
}

function shortestCycle(graph, start, group) {
  const cameFrom = new Map([[start, undefined]]);
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) {
        const path = [];
        for (let at = node; at !== undefined; at = cameFrom.get(at)) {
          path.unshift(at);
        }
        return path;
      }
      if (group.has(next) && !cameFrom.has(next)) {
        cameFrom.set(next, node);
        queue.push(next);
      }
    }
  }
  return [start];
}

function* sourceFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) {
      yield* sourceFiles(path);
    } else if (entry.isFile() && sourceFile.test(entry.name) && !entry.name.endsWith(".d.ts")) {
      yield path;
    }
  }
}

function isInside(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

function toSlashes(path) {
  return path.split(sep).join("/");
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
  const violations = checkImports(root);
  for (const violation of violations) {
    console.error(violation);
  }
  console.log(violations.length === 0 ? "imports: ok" : `imports: ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
