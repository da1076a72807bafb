// Bundles each program that users start, and the server that tests run in their own process, into one file, with what few
// requests need beside it in files that are loaded on demand: to find and read hundreds of modules is most of a start. Sources are what `tsc -b` has compiled; tests and
// other packages go on using dist/. Nothing is minified, so stack traces can be read as they are, and source maps lead
// to the TypeScript (NODE_OPTIONS=--enable-source-maps). What is bundled is CommonJS, since Node can keep the compiled code
// of nothing else (bundle-launcher.mjs). Bundles whose sources have not changed are left alone. Usage, after tsc:
// node scripts/bundle.mjs
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isFresh, statesOf, writeStamp } from "./bundle-stamp.mjs";
import { bundledLmdb, isLeftOut } from "./bundled-lmdb.mjs";
import { directImports } from "./direct-imports.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Entry points by workspace: the name of the bundled file and the module. They lie in `bundle/`, as deep as `dist/`, so
 * that paths relative to a module stay true.
 */
const programs = {
  server: { "gatehouse-apiserver": "dist/main.js", "in-process": "dist/in-process.js" },
  deploy: {
    gatehouse: "dist/main.js",
    "end-with-parent": "dist/end-with-parent.js",
    "stack-starter": "dist/stack-starter.js",
    "gatehouse-dev-identity-provider": "dist/identity-provider-main.js",
    "kubectl-gatehouse": "dist/kubectl-gatehouse/main.js",
  },
  // Not gatehouse-admission: the hooks that it loads must find the same toolkit.
  webhooks: {
    "gatehouse-authorization": "dist/programs/authorization/main.js",
    "gatehouse-image-review": "dist/programs/image-review/main.js",
    "gatehouse-policy": "dist/programs/policy/main.js",
    "gatehouse-token-review": "dist/programs/token-review/main.js",
  },
  "credential-plugins": {
    "gatehouse-credential-certificate": "dist/certificate/main.js",
    "gatehouse-credential-oidc": "dist/oidc/main.js",
  },
};

/** The module that refuses an older Node.js; copied into each bundle. */
const supportedNodeModule = "component-base/dist/commands/supported-node.js";

/**
 * Found at run time in node_modules, so they must be dependencies of each workspace whose bundle asks for them. pino has
 * files of its own for its threads; the others are CommonJS, loaded when first needed, and a
 * dynamic import of CommonJS loses its named exports when bundled. The toolkit is loaded after everything else has been
 * started, and hooks that people write must find the same one. The server that runs in the process of its caller is a bundle
 * of its own.
 */
const external = [
  ...[
    "@gatehouse/server/in-process",
    "@gatehouse/webhooks",
    "@grpc/grpc-js",
    "ajv",
    "oidc-provider",
    "pino",
    "prom-client",
    "protobufjs",
  ],
  "yaml",
];

/** The workspaces by the name of their package. */
const workspacesByName = new Map(
  manifestOf(".").workspaces.map((workspace) => {
    const manifest = manifestOf(workspace);
    return [manifest.name, { folder: join(root, workspace), manifest }];
  }),
);

/** Files that each bundle depends on beside its sources. */
const sharedInputs = [
  "package-lock.json",
  "scripts/bundle.mjs",
  "scripts/bundle-stamp.mjs",
  "scripts/bundle-launcher.mjs",
  "scripts/bundled-lmdb.mjs",
  "scripts/direct-imports.mjs",
  supportedNodeModule,
];

/** Makes the bundle of a workspace, unless it would be the one that is there. */
async function bundle(workspace, entries) {
  const stampFile = join(root, "node_modules", ".cache", "gatehouse-bundles", `${workspace}.json`);
  if (isFresh(stampFile)) {
    return;
  }
  const before = statesOf(sharedInputs.concat(`${workspace}/package.json`).map((path) => join(root, path)));
  const { inputs, outputs } = await makeBundle(workspace, entries);
  writeStamp(stampFile, { ...before, ...inputs }, outputs);
}

/** Returns the states of the sources, and the paths of what was made of them. */
async function makeBundle(workspace, entries) {
  // Loaded on demand: most builds find everything fresh.
  const { build, transform } = await import("esbuild");
  const folder = join(root, workspace);
  const indexes = new Set();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(folder, file)])),
    outdir: join(folder, "bundle"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    entryNames: "[name]-[hash]",
    sourcemap: "inline",
    external,
    plugins: [directImports(workspacesByName, external, indexes), bundledLmdb],
    logLevel: "warning",
    metafile: true,
    write: false,
  });
  const problems = findProblems(workspace, metafile);
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
  const files = Object.keys(metafile.inputs).filter((path) => !isLeftOut(path));
  const inputs = statesOf([...files.map((path) => resolve(root, path)), ...indexes]);
  const modules = await Promise.all(outputFiles.map((file) => toCommonJs(file, transform)));
  const { bin } = manifestOf(workspace);
  const { files: packed, chunks } = packChunks(modules);
  const launchers = Object.entries(entries).flatMap(([name, file]) => {
    const output = { ...outputOf(metafile, join(workspace, file)), chunks };
    return [launcher(name, output, name in bin), ...(quickPrograms.has(name) ? [quickLauncher(name, output)] : [])];
  });
  const made = [...packed, ...launchers, ...launcherModules(), await quickLauncherModule(transform)];
  replaceFolder(join(folder, "bundle"), made);
  return { inputs, outputs: made.map(({ name }) => join(folder, "bundle", name)) };
}

function manifestOf(workspace) {
  return JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
}

/**
 * A file that may have to be loaded later is required then. Names carry a hash of the content, so that compiled code that
 * was kept never meets another source than its own.
 */
async function toCommonJs({ path, text }, transform) {
  const name = commonJsName(path);
  const { code, map } = await transform(text.replace(/^#!.*/, ""), {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    supported: { "dynamic-import": false },
    define: { "import.meta": "importMeta" },
    sourcefile: basename(path),
    sourcemap: "external",
  });
  const contents = code
    .replaceAll(/require\("(\.\/[^"]+)\.js"\)/g, 'require("$1.cjs")')
    // A copy would be read through two getters where one does.
    .replace(/^module\.exports = __toCommonJS\((\w+)\);$/m, "module.exports = $1;")
    .concat(`//# sourceMappingURL=${name}.map\n`);
  return [
    { name, contents },
    { name: `${name}.map`, contents: map },
  ];
}

/** Chunks below this size, in characters, lie together in one file. */
const smallestAlone = 50_000;

/**
 * Puts the small chunks into one file, with one source map: a start needs dozens of them, and a file takes longer to find and to
 * compile than to run. Returns all files, and the name of that one.
 */
function packChunks(modules) {
  const isSmallChunk = ([{ name, contents }]) => name.startsWith("chunk-") && contents.length < smallestAlone;
  const small = modules.filter(isSmallChunk);
  const sections = [];
  let text = "module.exports = {\n";
  let line = 1;
  for (const [{ name, contents }, { contents: map }] of small) {
    sections.push({ offset: { line: line + 1, column: 0 }, map: JSON.parse(map) });
    const code = contents.replace(/^\/\/# sourceMappingURL=.*\n/m, "");
    text += `${JSON.stringify(name)}(module, exports, require, importMeta) {\n${code}},\n`;
    line += code.split("\n").length + 1;
  }
  text += "};\n";
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
  const name = `chunks-${hash}.cjs`;
  const pack = [
    { name, contents: `${text}//# sourceMappingURL=${name}.map\n` },
    { name: `${name}.map`, contents: JSON.stringify({ version: 3, file: name, sections }) },
  ];
  return { files: [...modules.filter((each) => !isSmallChunk(each)).flat(), ...pack], chunks: name };
}

function commonJsName(path) {
  return basename(path).replace(/\.js$/, ".cjs");
}

/** Returns the bundled module of an entry point, and the names that it exports. */
function outputOf({ outputs }, entryPoint) {
  const [path, output] = Object.entries(outputs).find(([, each]) => each.entryPoint === entryPoint);
  return { module: commonJsName(path), exports: output.exports };
}

/** Modules that launchers import. */
function launcherModules() {
  return [
    { name: "launch.js", contents: readFileSync(join(root, "scripts", "bundle-launcher.mjs"), "utf8") },
    {
      name: basename(supportedNodeModule),
      contents: readFileSync(join(root, supportedNodeModule), "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/m, ""),
    },
  ];
}

/**
 * Returns the launcher of an entry point, which exports what the entry point exports. Commands that people start say which
 * Node.js they need before it meets anything newer.
 */
function launcher(name, { module, chunks, exports }, isCommand) {
  const check = isCommand
    ? `import { requireSupportedNode } from "./${basename(supportedNodeModule)}";\n\nrequireSupportedNode("${name}");\n`
    : "\n";
  const names = exports.length === 0 ? "" : `export const { ${exports.join(", ")} } = `;
  const contents = `#!/usr/bin/env node\nimport { launch } from "./launch.js";\n${check}${names}launch(${JSON.stringify(module)}, ${JSON.stringify(chunks)});\n`;
  return { name: `${name}.js`, contents, mode: 0o755 };
}

/** Programs that scripts of ours start (`gatehouse envtest install`) by a launcher of its own. */
const quickPrograms = new Set(["gatehouse-apiserver"]);

/** Returns a launcher with which Node.js begins sooner: it loads nothing of its loader of ES modules. */
function quickLauncher(name, { module, chunks }) {
  const contents = `"use strict";\nrequire("./launch.cjs").launch(${JSON.stringify(module)}, ${JSON.stringify(chunks)});\n`;
  return { name: `${name}.cjs`, contents };
}

/** Returns the module that such launchers require, made from that of the others. */
async function quickLauncherModule(transform) {
  const { code } = await transform(readFileSync(join(root, "scripts", "bundle-launcher.mjs"), "utf8"), {
    format: "cjs",
    platform: "node",
    target: "node20.19",
    define: { "import.meta": "importMeta" },
    banner: `const { pathToFileURL } = require("node:url");
const importMeta = {
  url: pathToFileURL(__filename).href,
  resolve: (name) => pathToFileURL(require.resolve(name)).href,
};`,
  });
  return { name: "launch.cjs", contents: code };
}

/** Returns problems of a bundle that would show only at run time, and only in the part that is loaded then. */
function findProblems(workspace, { inputs, outputs }) {
  const { dependencies } = manifestOf(workspace);
  const problems = [];
  if (Object.keys(inputs).some(isLeftOut) && !("lmdb" in dependencies)) {
    problems.push(`the native part of lmdb is not among the dependencies in ${workspace}/package.json`);
  }
  for (const { imports } of Object.values(outputs)) {
    for (const { path, kind, external: isExternal } of imports) {
      const module = outputs[path]?.entryPoint ?? path;
      if (isExternal && !isBuiltin(path) && !(packageOf(path) in dependencies) && !optionalPackages.has(path)) {
        problems.push(`the bundle imports ${path}, which is not among the dependencies in ${workspace}/package.json`);
      } else if (
        kind === "dynamic-import" &&
        inputs[module]?.format === "cjs" &&
        !namelessModules.has(basename(module))
      ) {
        problems.push(`the bundle imports ${module} dynamically, which is CommonJS: add it to the external packages`);
      }
    }
  }
  return problems;
}

/** Returns the name of the package that an import asks for: `@gatehouse/webhooks/config` is in `@gatehouse/webhooks`. */
function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Packages that are imported inside a `try`, and need not be installed. */
const optionalPackages = new Set(["bufferutil", "node:sqlite", "supports-color", "utf-8-validate"]);

/** Imported for what they do, not for names. */
const namelessModules = new Set(["Reflect.js"]);

/** Made by a later step of the build (write-bootstrap-objects.mjs). */
const bootstrapObjectsFile = "bootstrap-objects.json";

/** Writes what has changed only: a process that runs meanwhile may still load the rest. */
function replaceFolder(folder, files) {
  mkdirSync(folder, { recursive: true });
  const wanted = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder)) {
    if (!wanted.has(name.replace(/\.code$/, "")) && name !== bootstrapObjectsFile) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  for (const { name, contents, mode = 0o644 } of files) {
    writeIfChanged(join(folder, name), contents, mode);
  }
}

function writeIfChanged(path, contents, mode) {
  try {
    if (readFileSync(path, "utf8") === contents) {
      return;
    }
  } catch {
    // Not there yet.
  }
  writeFileSync(path, contents, { mode });
}

/**
 * Makes the programs of a workspace executable, which `tsc` does not, and gives them a name for `npx`. npm does both
 * for programs that exist when it installs; in a fresh checkout none does.
 */
function link(workspace) {
  const { bin = {} } = manifestOf(workspace);
  const names = join(root, "node_modules", ".bin");
  for (const [name, path] of Object.entries(bin)) {
    const target = join(root, workspace, path);
    chmodSync(target, 0o755);
    if (!existsSync(join(names, name))) {
      rmSync(join(names, name), { force: true });
      symlinkSync(relative(names, target), join(names, name));
    }
  }
}

await Promise.all(Object.entries(programs).map(([workspace, entries]) => bundle(workspace, entries)));
manifestOf(".").workspaces.forEach(link);
