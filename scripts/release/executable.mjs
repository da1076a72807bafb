// Makes an executable of Node.js and the programs: a single executable application, whose blob carries the files that
// executable/own-files.cjs writes and the beginning that executable/main.cjs is.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { programsOf } from "./application-files.mjs";
import { fetchRuntime } from "./fetched.mjs";
import { checkSignature, signMachO } from "./mach-o-signature.mjs";
import { checkExecutable } from "./machine-code.mjs";
import { ownPlatform } from "./platforms.mjs";

/** The name of the executable in its signature for macOS. */
const identifier = "gatehouse";
const blobName = "NODE_SEA_BLOB";
/** The mark in Node.js that is flipped when a blob is there. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Writes the executable of a platform that carries `files` to `target`, and checks what has become of it. */
export async function writeExecutable(platform, files, target) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-executable-"));
  try {
    const [{ inject }, { buildSync }] = await Promise.all([import("postject"), import("esbuild")]);
    const { blob, digest } = writeBlob(folder, files, buildSync);
    copyFileSync(join(fetchRuntime(platform), "node"), target);
    chmodSync(target, 0o755);
    await inject(target, blobName, readFileSync(blob), {
      sentinelFuse: fuse,
      ...(platform.startsWith("darwin-") && { machoSegmentName: "NODE_SEA" }),
    });
    if (platform.startsWith("darwin-")) {
      const signed = signMachO(readFileSync(target), identifier);
      checkSignature(signed);
      writeFileSync(target, signed);
    }
    const native = files.filter(({ path }) => path.endsWith(".node"));
    checkExecutable(platform, readFileSync(target), {
      fuse,
      digest,
      native: native.map(({ path, source }) => [path, readFileSync(source)]),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns what own-files.cjs needs to know of the files, and the contents of all, one after the other. */
export function packFiles(files, programs) {
  const contents = [];
  const entries = files.map(({ path, source, link }) => {
    if (link !== undefined) {
      return { path, link };
    }
    const bytes = readFileSync(source);
    contents.push(bytes);
    return { path, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  });
  const digest = createHash("sha256").update(JSON.stringify(entries)).digest("hex");
  return { manifest: { digest, programs, files: entries }, contents: Buffer.concat(contents) };
}

function writeBlob(folder, files, buildSync) {
  const { manifest, contents } = packFiles(files, programsOf());
  const at = (name) => join(folder, name);
  writeFileSync(at("manifest"), JSON.stringify(manifest));
  writeFileSync(at("files"), contents);
  buildSync({
    entryPoints: [fileURLToPath(new URL("executable/main.cjs", import.meta.url))],
    outfile: at("main.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node24",
  });
  // Relative paths: the path of the main script becomes a part of the blob.
  const description = {
    main: "main.cjs",
    output: "blob",
    disableExperimentalSEAWarning: true,
    assets: { manifest: "manifest", files: "files" },
  };
  writeFileSync(at("sea.json"), JSON.stringify(description));
  // Node.js of the same version on this machine: a blob is the same for all platforms as long as it holds no compiled code.
  const node = join(fetchRuntime(ownPlatform), "node");
  chmodSync(node, 0o755);
  execFileSync(node, ["--experimental-sea-config", "sea.json"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  return { blob: at("blob"), digest: manifest.digest };
}
