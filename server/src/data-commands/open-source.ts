import { statSync } from "node:fs";
import { type BackupSource, openChain } from "@gatehouse/apiserver/storage/backup";
import type { CommandIo } from "@gatehouse/component-base/commands";
import { withProgress } from "./command-progress.js";
import { backupText } from "./describe.js";

/** A source that has been checked, and a line about each of its files. */
export interface OpenedSource {
  readonly source: BackupSource;
  readonly lines: readonly string[];
}

/** Opens and checks the backups at `paths`, with progress. Throws BackupError. */
export async function openSource(paths: readonly string[], io: CommandIo): Promise<OpenedSource> {
  const total = paths.reduce((bytes, path) => bytes + statSync(path).size, 0);
  const chain = await withProgress(io, { label: "checking", unit: "bytes", total }, (advance) =>
    openChain(paths, advance),
  );
  return { source: chain, lines: chain.files.map(backupText) };
}
