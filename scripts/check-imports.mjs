// Checks the direction of imports (docs/architecture.md): between workspaces, out of a workspace,
// inside the server, and cycles between files. Prints every violation and exits with 1 if there is one.
// Usage: node scripts/check-imports.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const scope = "@gatehouse/";
const shared = ["envelopes", "policies", "component-base"];

/**
 * Workspaces that each workspace may import, by folder name. A workspace that is not listed may import none of ours.
 */
const allowedWorkspaces = {
  envelopes: [],
  policies: ["envelopes"],
  "component-base": ["envelopes"],
  server: shared,
  testing: [...shared, "server"],
  webhooks: shared,
  "audit-sink": shared,
  "credential-plugins": shared,
  deploy: [...shared, "server", "webhooks", "audit-sink", "credential-plugins"],
  test: [...shared, "server", "testing", "webhooks", "audit-sink", "credential-plugins", "deploy"],
  bench: [...shared, "server", "testing", "webhooks", "audit-sink", "credential-plugins", "deploy"],
};

/** Workspaces that the tests of every other one may import; their test projects refer to them (tsconfig.test.json). */
const forTests = ["testing"];

/** Folders that must not know other folders of the same workspace. */
const folderRules = [
  ...layers([
    // What knows nothing of the rest.
    { folder: "config", mayImport: [] },
    { folder: "request", mayImport: [] },
    { folder: "objects", mayImport: [] },
    { folder: "storage", mayImport: [] },
    { folder: "http", mayImport: ["request"] },
    { folder: "discovery", mayImport: ["http", "request"] },
    { folder: "openapi", mayImport: ["discovery", "http", "request"] },
    // Mechanisms for any kind: what a built-in kind adds reaches them through the catalogue.
    { folder: "patch", mayImport: ["objects", "request"] },
    { folder: "managed-fields", mayImport: ["objects"] },
    { folder: "tables", mayImport: ["config", "objects"] },
    { folder: "conversion", mayImport: ["config", "objects"] },
    { folder: "rules", mayImport: ["config", "objects"] },
    { folder: "review-webhooks", mayImport: ["objects"] },
    { folder: "quota", mayImport: ["objects", "rules"] },
    // What a write is and who may stop it: verbs and kinds ask, plugins answer from what they are given to read.
    { folder: "admission", mayImport: ["config", "objects", "quota", "request", "rules"] },
    { folder: "authentication", mayImport: ["config", "objects", "request"] },
    { folder: "authorization", mayImport: ["config", "objects", "request", "review-webhooks"] },
  ]),
  // The others use each other, but no kind: `server.ts` and `assembly/` hand them what kinds add.
  ...["admission", "catalogue", "controllers", "dispatch", "stages", "subresources", "verbs"].map((folder) => ({
    from: `server/src/${folder}`,
    mayNotImport: ["server/src/kinds"],
  })),
  // Programs are made of the toolkit, which others import without them.
  { from: "webhooks/src/toolkit", mayNotImport: ["webhooks/src/programs"] },
];

/** One rule for each folder of the server that may import only some of the others. */
function layers(rows) {
  return rows.map(({ folder, mayImport }) => ({
    from: `server/src/${folder}`,
    mayNotImport: serverFolders(folder, ...mayImport),
  }));
}

/** Every folder of the server but those that may be used. */
function serverFolders(...but) {
  const folders = [
    "admission",
    "authentication",
    "authorization",
    "catalogue",
    "config",
    "controllers",
    "conversion",
    "discovery",
    "dispatch",
    "http",
    "kinds",
    "managed-fields",
    "objects",
    "openapi",
    "patch",
    "quota",
    "request",
    "rules",
    "stages",
    "storage",
    "subresources",
    "tables",
    "verbs",
  ];
  return folders.filter((folder) => !but.includes(folder)).map((folder) => `server/src/${folder}`);
}

/** Workspaces whose sources do no input or output. Their tests may, to read fixtures, and so may their build tools. */
const withoutIo = ["envelopes/src", "policies/src"];
const ioModules = new Set(
  "child_process cluster dgram dns fs http http2 https inspector net readline repl tls worker_threads".split(" "),
);

const skippedFolders = new Set(["node_modules", "dist", "bundle", "generated"]);
const sourceFile = /\.(ts|mts|js|mjs)$/;
const isTestSource = (file) => testFile.test(file) || file.includes(".test.support.");
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
  if (!isInside(to, workspace)) {
    report(`the relative import "${specifier}" leaves the workspace ${workspace}; import the package by its name`);
    return;
  }
  // Tests may look at a part through the eyes of those who use it.
  for (const rule of isTestSource(from) ? [] : folderRules) {
    const forbidden = isInside(from, rule.from) ? rule.mayNotImport.find((folder) => isInside(to, folder)) : undefined;
    if (forbidden !== undefined) {
      report(`${rule.from} must not import ${forbidden} (${specifier})`);
    }
  }
}

function checkPackage({ workspace, from, specifier, manifest, rootPackage, isEntry, report }) {
  if (isBuiltin(specifier)) {
    const module = specifier.replace(/^node:/, "").split("/")[0];
    if (ioModules.has(module) && withoutIo.some((folder) => isInside(from, folder)) && !testFile.test(from)) {
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
    const allowed = [...(allowedWorkspaces[workspace] ?? []), ...(isTestSource(from) ? forTests : [])];
    if (!allowed.includes(target)) {
      report(`${workspace} must not import ${target} (${specifier})`);
      return;
    }
    if (specifier !== name && !isEntry(target, specifier.slice(name.length))) {
      report(`"${specifier}" reaches into ${target}; import ${name} and let its index.ts export what is needed`);
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
