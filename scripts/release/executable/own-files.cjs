// The files that an executable carries: programs, the packages that they need and the native part of the store. Node.js
// loads native code, threads and modules of hooks from files alone, so they are written once into a private folder, named
// by their digest, and used by every later start.
"use strict";
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { homedir, platform, tmpdir } = require("node:os");
const { dirname, join } = require("node:path");

/**
 * Returns the folder with the files of a manifest, which is filled at the first start. `readContents` returns the contents
 * of all files, one after the other. Throws an Error with a sentence for people when no private folder can be had.
 */
function ownFiles(manifest, readContents, env = process.env) {
  const cache = privateFolder(env);
  const folder = join(cache, manifest.digest);
  if (!isWhole(folder, manifest)) {
    removeAbandoned(cache);
    extract(folder, manifest, readContents());
  }
  return folder;
}

/** Returns the first folder that is, or can be made, ours alone. */
function privateFolder(env) {
  const problems = [];
  for (const path of candidates(env)) {
    try {
      fs.mkdirSync(path, { recursive: true, mode: 0o700 });
      const { uid, mode } = fs.lstatSync(path);
      if (!fs.lstatSync(path).isDirectory() || uid !== process.getuid() || (mode & 0o077) !== 0) {
        throw new Error("belongs to somebody else, or others can open it");
      }
      fs.accessSync(path, fs.constants.W_OK);
      return path;
    } catch (error) {
      problems.push(`${path}: ${error.message}`);
    }
  }
  throw new Error(
    `There is no private folder for the files of this executable; set GATEHOUSE_CACHE_DIR.\n${problems.join("\n")}`,
  );
}

function candidates(env) {
  if (env.GATEHOUSE_CACHE_DIR) {
    return [env.GATEHOUSE_CACHE_DIR];
  }
  const caches = platform() === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
  return [join(env.XDG_CACHE_HOME || caches, "gatehouse"), join(tmpdir(), `gatehouse-${process.getuid()}`)];
}

/** Reports whether all files are there in their sizes, and native code, which could do anything, has its checksum. */
function isWhole(folder, { files }) {
  return files.every(({ path, size, sha256, link }) => {
    const file = join(folder, path);
    if (link !== undefined) {
      return fs.existsSync(file);
    }
    const isThere = fs.statSync(file, { throwIfNoEntry: false })?.size === size;
    return isThere && (!path.endsWith(".node") || digestOf(fs.readFileSync(file)) === sha256);
  });
}

function digestOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes all files, and puts them in place at once: another process may do the same. */
function extract(folder, { files }, contents) {
  const draft = `${folder}.${process.pid}`;
  const made = new Set();
  let offset = 0;
  try {
    for (const { path, size, link } of files) {
      const file = join(draft, path);
      if (!made.has(dirname(file))) {
        fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        made.add(dirname(file));
      }
      if (link === undefined) {
        fs.writeFileSync(file, contents.subarray(offset, offset + size), { mode: 0o600 });
        offset += size;
      } else {
        fs.symlinkSync(link, file);
      }
    }
    replace(draft, folder);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Renames a folder. One that is there is damaged, unless another process has just made it. */
function replace(draft, folder) {
  const damaged = `${folder}.damaged.${process.pid}`;
  try {
    fs.renameSync(folder, damaged);
  } catch (error) {
    if (error.code !== "ENOENT") {
      throw error;
    }
  }
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") {
      throw error;
    }
  } finally {
    fs.rmSync(damaged, { recursive: true, force: true });
  }
}

/** Removes drafts of processes that were killed while they wrote. */
function removeAbandoned(cache) {
  for (const name of fs.readdirSync(cache)) {
    const pid = Number(/^[0-9a-f]{64}(?:\.damaged)?\.(\d+)$/.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) {
      fs.rmSync(join(cache, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

module.exports = { ownFiles };
