import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { blockSize, padding, tarHeader } from "./tar-header.js";

/** A file, a symbolic link or a folder of an archive. */
export interface ArchiveEntry {
  /** The path, relative to the root; that of a folder ends with a slash. */
  readonly name: string;
  /** The permission bits; 0644 when absent. Links have none of their own. */
  readonly mode?: number;
  /** The user and the group that own it; 0 when absent. */
  readonly uid?: number;
  /** The content of a file. */
  readonly contents?: string | Uint8Array;
  /** The file on this machine whose content it has. */
  readonly source?: string;
  /** The target of a symbolic link. */
  readonly link?: string;
  /** True for a folder. */
  readonly directory?: boolean;
}

/** The digests of an archive, in hexadecimal, and its size. */
export interface WrittenArchive {
  /** The size in bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly sha512: string;
  /** The sha256 of the tar before gzip. */
  readonly unpackedSha256: string;
}

/**
 * Writes entries as a tar archive, packed by gzip. Its bytes depend on the entries and on `time`, the time of all of them in
 * seconds since 1970, alone: the order of the entries does not matter.
 */
export async function writeArchive(
  target: string,
  entries: Iterable<ArchiveEntry>,
  time: number,
): Promise<WrittenArchive> {
  const unpacked = createHash("sha256");
  const sha256 = createHash("sha256");
  const sha512 = createHash("sha512");
  let size = 0;
  const counted = tap(sha256, sha512).on("data", (part: Buffer) => {
    size += part.length;
  });
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  await pipeline(tarOf(sorted, time), tap(unpacked), createGzip({ level: 6 }), counted, createWriteStream(target));
  return {
    size,
    sha256: sha256.digest("hex"),
    sha512: sha512.digest("hex"),
    unpackedSha256: unpacked.digest("hex"),
  };
}

function tap(...hashes: readonly Hash[]): PassThrough {
  return new PassThrough().on("data", (part: Buffer) => {
    for (const hash of hashes) {
      hash.update(part);
    }
  });
}

/** Yields the parts of a tar archive of entries. */
async function* tarOf(entries: readonly ArchiveEntry[], time: number): AsyncGenerator<Buffer> {
  for (const { name, mode = 0o644, contents, source, link, directory = false, uid = 0 } of entries) {
    if (directory) {
      yield tarHeader({ name, type: "directory", mode, uid, size: 0, link: "", time });
    } else if (link !== undefined) {
      yield tarHeader({ name, type: "symlink", mode: 0o777, uid, size: 0, link, time });
    } else {
      const bytes = contents === undefined ? await readFile(source ?? "") : Buffer.from(contents);
      yield tarHeader({ name, type: "file", mode, uid, size: bytes.length, link: "", time });
      if (bytes.length > 0) {
        yield bytes;
        yield padding(bytes.length);
      }
    }
  }
  // Two empty blocks are the end.
  yield Buffer.alloc(2 * blockSize);
}
