import { statSync } from "node:fs";
import { type BackupSource, isBackupFile, openChain, openEtcdSnapshot } from "@gatehouse/apiserver/storage/backup";
import type { CommandIo } from "@gatehouse/component-base/commands";
import { withProgress } from "./command-progress.js";
import { backupText, bytesText, countText } from "./describe.js";

/** A source that has been checked, and a line about each of its files. */
export interface OpenedSource {
  readonly source: BackupSource;
  readonly lines: readonly string[];
}

/**
 * Opens and checks backups, or one snapshot of etcd, of which only the keys under `prefix` count. Shows progress. Throws
 * BackupError.
 */
export async function openSource(paths: readonly string[], prefix: string, io: CommandIo): Promise<OpenedSource> {
  const total = paths.reduce((bytes, path) => bytes + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  const [first = ""] = paths;
  return await withProgress(io, { label: "checking", unit: "bytes", total }, async (advance) => {
    if (paths.length > 1 || (await isBackupFile(first))) {
      const chain = await openChain(paths, advance);
      return { source: chain, lines: chain.files.map(backupText) };
    }
    const source = await openEtcdSnapshot(first, { prefix, advance });
    const text = `${first}: snapshot of etcd at revision ${source.newestRevision}, ${countText(source.versions, "version")} of keys (${bytesText(total)})`;
    return { source, lines: [text] };
  });
}
