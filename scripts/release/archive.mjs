// Writes archives whose bytes depend on their entries alone: sorted, without owners, all of the same time.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/**
 * Writes entries as a tar archive, packed by gzip: `{ name, mode, contents | source | link | directory, uid }`. `time` is the
 * time of all entries in seconds. Returns the digests, in hexadecimal, of the archive by sha256 and sha512 and of the tar by
 * sha256, and the size of the archive.
 */
export async function writeArchive(target, entries, time) {
  const tar = pack();
  const unpacked = createHash("sha256");
  const sha256 = createHash("sha256");
  const sha512 = createHash("sha512");
  let size = 0;
  const tap = (...hashes) => new PassThrough().on("data", (part) => hashes.forEach((hash) => void hash.update(part)));
  const counted = tap(sha256, sha512).on("data", (part) => {
    size += part.length;
  });
  const written = pipeline(tar, tap(unpacked), createGzip({ level: 6 }), counted, createWriteStream(target));
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await addEntry(tar, entry, new Date(time * 1000));
  }
  tar.finalize();
  await written;
  return {
    size,
    sha256: sha256.digest("hex"),
    sha512: sha512.digest("hex"),
    unpackedSha256: unpacked.digest("hex"),
  };
}

async function addEntry(tar, { name, mode = 0o644, contents, source, link, directory = false, uid = 0 }, mtime) {
  const header = { name, mode, mtime, uid, gid: uid };
  if (directory) {
    tar.entry({ ...header, type: "directory" });
  } else if (link !== undefined) {
    tar.entry({ ...header, mode: 0o777, type: "symlink", linkname: link });
  } else {
    const bytes = contents ?? (await readFile(source));
    await new Promise((resolve, reject) => tar.entry(header, bytes, (error) => (error ? reject(error) : resolve())));
  }
}
