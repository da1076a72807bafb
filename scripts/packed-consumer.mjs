// Makes a project that has installed the packed workspaces, and finds what would fail there although it works in the checkout:
// types that do not compile in a strict project, and modules that cannot be loaded. Used by check-packages.mjs.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Packs workspaces into a folder, as `npm publish` would. Returns, by name of the package, the files in its tarball and the
 * tarball itself.
 */
export function packWorkspaces(root, workspaces, folder) {
  mkdirSync(folder, { recursive: true });
  const chosen = workspaces.map((workspace) => `--workspace=${workspace}`);
  const words = ["pack", "--json", "--ignore-scripts", `--pack-destination=${folder}`, ...chosen];
  // It names every file of every package: more than the megabyte that is the default.
  const maxBuffer = 64 * 1024 * 1024;
  const output = execFileSync("npm", words, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer,
  });
  // A list up to npm 11, an object named by the packages in later ones.
  const packed = Object.values(JSON.parse(output));
  return new Map(
    packed.map(({ name, filename, files }) => [
      name,
      { tarball: join(folder, filename), paths: files.map(({ path }) => path) },
    ]),
  );
}

/**
 * Makes the project. Its packages of ours come from tarballs, so nothing else of the checkout can be found from them; those of
 * others are the installed ones, but only those that some `dependencies` name, since nothing else would be installed.
 */
export function makeConsumer(folder, root, packed) {
  const modules = join(folder, "node_modules");
  const link = (name) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  };
  const foreign = new Set(["@types/node"]);
  for (const [name, { tarball }] of packed) {
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
    const { dependencies = {} } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
    for (const dependency of Object.keys(dependencies).filter((each) => !packed.has(each))) {
      foreign.add(dependency);
    }
  }
  [...foreign].forEach(link);
  const compilerOptions = { target: "ES2022", module: "NodeNext", strict: true, skipLibCheck: false, noEmit: true };
  const entries = [...packed.keys()].flatMap((name) => entryPoints(name, join(modules, name)));
  const source = entries.map((entry, index) => `export * as entry${index} from "${entry}";\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, types: ["node"] }, files: ["consumer.ts"] }),
  );
  writeFileSync(join(folder, "consumer.ts"), source.join(""));
  writeFileSync(join(folder, "consumer.js"), source.join(""));
}

/** The names by which modules of a package are imported. */
function entryPoints(name, folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return typeof exports === "string" ? [name] : Object.keys(exports).map((path) => name + path.slice(1));
}

/** Tells what the compiler and the module loader find wrong with the project, as lines. */
export function findUnusable(folder, root) {
  const run = (...words) => spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  const compiled = run(join(root, "node_modules", "typescript", "bin", "tsc"), "--project", ".");
  const loaded = run("consumer.js");
  return [
    ...(compiled.status === 0 ? [] : linesOf("the types do not compile", compiled)),
    ...(loaded.status === 0 ? [] : linesOf("the modules cannot be loaded", loaded)),
  ];
}

function linesOf(what, { stdout, stderr }) {
  return [`in a project that has installed the packages, ${what}:`, ...`${stdout}${stderr}`.trimEnd().split("\n")];
}
