// Copied into each bundle/ beside what it loads (see bundle.mjs). To read and compile two megabytes is a quarter of the
// start of a server, so the compiled code is kept in a file beside the source, by the first process that lives long
// enough, and taken from there by all later ones. V8 refuses what another version of itself has compiled; then, and where
// the folder cannot be written, code is compiled as usual.
import { isAscii } from "node:buffer";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Time in milliseconds after which a server has called most of the functions that it will ever call; their code is
 * kept.
 */
const settledAfterMs = 3000;
/** Smaller files are not worth one more. */
const smallestKept = 50_000;
/** The growth of compiled code, as a factor, from which it is written again. */
const worthKeepingAgain = 1.2;

const requirePackage = createRequire(import.meta.url);
const meta = { url: import.meta.url, resolve: (name) => import.meta.resolve(name) };
const loaded = new Map();
/** The small files that several others share, as functions by their names. */
let chunkFunctions = {};
let unkept = [];

/**
 * Runs a bundled file in the folder of this one, with all that it requires, once. Returns its exports. `chunks` is the file that
 * holds the small ones, which are not there by themselves.
 */
export function launch(name, chunks) {
  if (chunks !== undefined && !loaded.has(chunks)) {
    chunkFunctions = run(chunks, compile(chunks, true));
  }
  return load(name);
}

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) {
    return known.exports;
  }
  return run(name, chunkFunctions[name] ?? compile(name));
}

function run(name, moduleFunction) {
  const module = { exports: {} };
  loaded.set(name, module);
  moduleFunction(module, module.exports, requireBundled, meta);
  return module.exports;
}

function requireBundled(name) {
  return name.startsWith("./") ? load(name.slice(2)) : requirePackage(name);
}

/**
 * Returns the function of a file. Code of a file that programs share is kept again by one that has compiled much more of it than
 * the one that kept it.
 */
function compile(name, isShared = false) {
  const filename = fileURLToPath(new URL(name, import.meta.url));
  const source = `(function (module, exports, require, importMeta) {${readText(filename)}\n})`;
  const isKept = source.length >= smallestKept;
  const cachedData = isKept ? readKept(filename) : undefined;
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  const isTaken = cachedData !== undefined && !script.cachedDataRejected;
  if (isKept && (!isTaken || isShared)) {
    unkept.push({ filename, script, keptSize: isTaken ? cachedData.length : 0 });
    if (unkept.length === 1) {
      keepLater();
    }
  }
  return script.runInThisContext();
}

/** A thread that ends soon does its work for a process that stays, so its code is kept when it ends. */
function keepLater() {
  if (!isMainThread) {
    process.once("exit", keepCode);
  }
  setTimeout(keepCode, settledAfterMs).unref();
}

/** Reads a text. What is all ASCII, as esbuild writes nearly everything, need not be decoded. */
function readText(filename) {
  const bytes = readFileSync(filename);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

function readKept(filename) {
  try {
    return readFileSync(`${filename}.code`);
  } catch {
    return undefined;
  }
}

function keepCode() {
  for (const { filename, script, keptSize } of unkept) {
    const temporary = `${filename}.code.${process.pid}`;
    try {
      const code = script.createCachedData();
      if (code.length >= keptSize * worthKeepingAgain) {
        writeFileSync(temporary, code);
        renameSync(temporary, `${filename}.code`);
      }
    } catch {
      // Not ours to write, or a full disk: nothing is lost but time.
      rmSync(temporary, { force: true });
    }
  }
  unkept = [];
}
