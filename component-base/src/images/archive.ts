import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";

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
  const tar = pack();
  const unpacked = createHash("sha256");
  const sha256 = createHash("sha256");
  const sha512 = createHash("sha512");
  let size = 0;
  const counted = tap(sha256, sha512).on("data", (part: Buffer) => {
    size += part.length;
  });
  const written = pipeline(
    // A stream of another package that has the methods of those of Node.js.
    tar as unknown as NodeJS.ReadableStream,
    tap(unpacked),
    createGzip({ level: 6 }),
    counted,
    createWriteStream(target),
  );
  const added = addEntries(tar, entries, new Date(time * 1000));
  await Promise.all([written, added]);
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

async function addEntries(tar: Pack, entries: Iterable<ArchiveEntry>, mtime: Date): Promise<void> {
  try {
    for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      await addEntry(tar, entry, mtime);
    }
    tar.finalize();
  } catch (error) {
    // Otherwise the file would wait for the rest.
    tar.destroy(error as Error);
    throw error;
  }
}

async function addEntry(
  tar: Pack,
  { name, mode = 0o644, contents, source, link, directory = false, uid = 0 }: ArchiveEntry,
  mtime: Date,
): Promise<void> {
  const header = { name, mode, mtime, uid, gid: uid };
  if (directory) {
    tar.entry({ ...header, type: "directory" });
  } else if (link !== undefined) {
    tar.entry({ ...header, mode: 0o777, type: "symlink", linkname: link });
  } else {
    const bytes = contents ?? (await readFile(source ?? ""));
    await new Promise<void>((resolve, reject) => {
      tar.entry(header, bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}
