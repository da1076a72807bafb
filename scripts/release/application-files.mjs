// Lists the files that the programs need at run time, of the workspaces and of the packages that they import. They keep
// their places in the repository, so that a program finds in an executable or an image what it finds in a checkout.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchPackage } from "./fetched.mjs";
import { platforms } from "./platforms.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Workspaces with programs, and those that programs and hooks import as packages. */
const workspaces = ["server", "deploy", "webhooks", "credential-plugins", "audit-sink"];
const libraries = ["webhooks", "audit-sink", "policies", "component-base", "envelopes"];
/** Files that are read, not imported. */
const data = ["deploy/config", "audit-sink/console/static", "policies/library"];
/** Packages that no static analysis sees: they are required by a computed name, or are where a bundle looks for native code. */
const required = ["pino", "re2js", "lmdb"];

/** Returns the scripts of all programs by the name of their command, as paths in the repository. */
export function programsOf() {
  return Object.fromEntries(
    workspaces.flatMap((workspace) =>
      Object.entries(readJson(`${workspace}/package.json`).bin ?? {}).map(([name, path]) => [
        name,
        join(workspace, path),
      ]),
    ),
  );
}

/** Returns files sorted by path: `{ path, source }`, or `{ path, link }` for a symbolic link. */
export async function applicationFiles(platform) {
  const bundled = workspaces.flatMap((workspace) => filesBelow(`${workspace}/bundle`));
  const paths = new Set([...(await importedFiles()), ...bundled, ...data.flatMap(filesBelow)]);
  for (const path of [...paths]) {
    for (const file of packageFilesOf(path)) {
      paths.add(file);
    }
  }
  const files = [...paths].filter((path) => !isLeftOut(path)).map((path) => ({ path, source: join(root, path) }));
  files.push(...links(paths), ...addonFiles(platform));
  files.push({ path: "load.cjs", source: fileURLToPath(new URL("executable/load.cjs", import.meta.url)) });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isLeftOut(path) {
  return /\.(?:map|code)$|\.d\.[cm]?ts$|\.ts$|\.test\.|\.test-d\./.test(path) || path.includes("@lmdb/");
}

let imported;

/** Returns what programs and libraries import, directly or not, as paths in the repository: the same on all platforms. */
export function importedFiles() {
  imported ??= traceImports();
  return imported;
}

async function traceImports() {
  const { build } = await import("esbuild");
  const entryPoints = [
    ...workspaces.flatMap((name) => filesBelow(`${name}/bundle`)),
    ...libraries.flatMap((name) => filesBelow(`${name}/dist`)),
  ].filter((path) => /\.c?js$/.test(path) && !/\.test\./.test(path));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints, ...required.map((name) => relative(root, requireFrom(name)))],
    outdir: join(root, "dist", "unwritten"),
    // What several entry points share is written once.
    splitting: true,
    // A module and its twin in CommonJS would have one name.
    entryNames: "[dir]/[name]-[hash]",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    // Those of Node.js, beside the ones that always hold.
    conditions: ["module-sync"],
    mainFields: ["main"],
    loader: { ".node": "empty" },
    logLevel: "error",
    external: ["*.node"],
    plugins: [packedChunks],
  });
  return Object.keys(metafile.inputs).map((path) => relative(root, resolve(root, path)));
}

/**
 * A plugin of esbuild that finds the small files of a bundle in the one that holds them all (`packChunks` in bundle.mjs), and what
 * they import: there, `require` is a parameter, which esbuild would leave alone.
 */
const packedChunks = {
  name: "packed-chunks",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/chunk-.*\.cjs$/ }, ({ path, resolveDir }) =>
      existsSync(join(resolveDir, path)) ? undefined : { path: join(resolveDir, packIn(resolveDir)) },
    );
    onLoad({ filter: /\/bundle\/chunks-[^/]*\.cjs$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        "(module, exports, require, importMeta) {",
        "(module, exports) {",
      ),
    }));
  },
};

function packIn(folder) {
  return readdirSync(folder).find((name) => /^chunks-.*\.cjs$/.test(name));
}

function requireFrom(name) {
  return fileURLToPath(import.meta.resolve(name));
}

/** Returns the manifests and licenses of the package that a file belongs to. */
function packageFilesOf(path) {
  const files = [];
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (existsSync(join(root, folder, "package.json"))) {
      files.push(join(folder, "package.json"));
      files.push(
        ...readdirSync(join(root, folder))
          .filter((name) => /^(?:licen[cs]e|notice)/i.test(name))
          .map((name) => join(folder, name)),
      );
    }
  }
  return files.filter((file) => statSync(join(root, file)).isFile());
}

/** Returns the links by which the workspaces find each other. */
function links(paths) {
  const present = new Set([...paths].map((path) => path.split(sep)[0]));
  return readJson("package.json")
    .workspaces.filter((workspace) => present.has(workspace))
    .map((workspace) => ({
      path: join("node_modules", readJson(`${workspace}/package.json`).name),
      link: join("..", "..", workspace),
    }));
}

/** Returns the native part of lmdb for a platform. */
function addonFiles(platform) {
  const { os, cpu, addon } = platforms[platform];
  const name = `@lmdb/lmdb-${os}-${cpu}`;
  const folder = fetchPackage(name);
  return ["package.json", "index.js", addon].map((file) => ({
    path: join("node_modules", name, file),
    source: join(folder, file),
  }));
}

function filesBelow(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) {
    return [];
  }
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
