import { BackupError } from "../../errors/errors.js";
import type { BackupRecord } from "./backup-format.js";
import { type BackupFile, openBackup, recordsOf } from "./backup-reader.js";
import type { BackupSource } from "./backup-source.js";

/** A full backup and the increments that continue it, in their order. */
export interface BackupChain extends BackupSource {
  readonly files: readonly BackupFile[];
}

/**
 * Opens the files of a chain, given in any order, and checks each of them and how they belong together. Throws BackupError.
 * `advance` gets the number of bytes that have been read since the last call.
 */
export async function openChain(paths: readonly string[], advance?: (bytes: number) => void): Promise<BackupChain> {
  const files: BackupFile[] = [];
  for (const path of paths) {
    files.push(await openBackup(path, advance));
  }
  return chainOf(inOrder(files));
}

function inOrder(files: readonly BackupFile[]): readonly BackupFile[] {
  const full = files.filter(({ header }) => header.kind === "full");
  const [first] = full;
  if (first === undefined) {
    throw new BackupError("there is no full backup among the files; increments alone cannot be restored");
  }
  if (full.length > 1) {
    throw new BackupError(
      `there is more than one full backup among the files (${full.map(({ path }) => path).join(", ")}); name the files of one chain`,
    );
  }
  const increments = new Map<string | undefined, BackupFile>();
  for (const file of files) {
    const { parent } = file.header;
    const other = increments.get(parent);
    if (file !== first && other !== undefined) {
      throw new BackupError(`${other.path} and ${file.path} continue the same backup; name one of them`);
    }
    if (file !== first) {
      increments.set(parent, file);
    }
  }
  const chain = [first];
  for (let last = first; increments.size > 0; ) {
    const next = increments.get(last.header.id);
    if (next === undefined) {
      const loose = [...increments.values()].map(({ path }) => path).join(", ");
      throw new BackupError(`a backup between ${last.path} and ${loose} is missing`);
    }
    if (next.header.afterRevision !== last.trailer.revision) {
      throw new BackupError(`${next.path} does not begin where ${last.path} ends`);
    }
    increments.delete(last.header.id);
    chain.push(next);
    last = next;
  }
  return chain;
}

function chainOf(files: readonly BackupFile[]): BackupChain {
  const [full, ...increments] = files as readonly [BackupFile, ...BackupFile[]];
  return {
    files,
    name: files.map(({ path }) => path).join(", "),
    oldestRevision: full.trailer.revision,
    newestRevision: (increments.at(-1) ?? full).trailer.revision,
    damaged: full.trailer.damaged,
    damagedKeys: full.trailer.damagedKeys,
    liveRecords: (revision) => liveRecords(full, increments, revision),
  };
}

/** Memory is bounded by the keys that the increments have changed: their last revisions are kept, no values. */
async function* liveRecords(
  full: BackupFile,
  increments: readonly BackupFile[],
  revision: number,
): AsyncGenerator<BackupRecord> {
  const lastRevisions = new Map<string, number>();
  const needed = increments.filter(({ header }) => (header.afterRevision ?? 0) < revision);
  for (const increment of needed) {
    for await (const record of recordsOf(increment)) {
      if (record.revision <= revision) {
        lastRevisions.set(record.key, record.revision);
      }
    }
  }
  for await (const record of recordsOf(full)) {
    if (!lastRevisions.has(record.key)) {
      yield record;
    }
  }
  for (const increment of needed) {
    for await (const record of recordsOf(increment)) {
      if (record.isPut && lastRevisions.get(record.key) === record.revision) {
        yield record;
      }
    }
  }
}
