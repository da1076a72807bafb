import { statSync } from "node:fs";
import type { BackupFile, BackupSource } from "@gatehouse/apiserver/storage/backup";
import type { CommandIo } from "@gatehouse/component-base/commands";

/** Returns a number of bytes as people read it: 1.2 MB. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) {
    value /= 1000;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Returns a number of things: `1 key`, `2 keys`. */
export function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Returns a backup in one line. */
export function backupText({ path, header, trailer }: BackupFile): string {
  const { revision, puts, deletes, bytes } = trailer;
  const size = `${bytesText(bytes)}, ${bytesText(statSync(path).size)} in the file`;
  return header.kind === "full"
    ? `${path}: full backup at revision ${revision}, ${countText(puts, "key")} (${size})`
    : `${path}: increment from revision ${header.afterRevision} to ${revision}, ${countText(puts + deletes, "change")} (${size})`;
}

/** Tells which keys are missing in a backup; returns whether any are. */
export function tellDamage(source: Pick<BackupSource, "damaged" | "damagedKeys">, io: CommandIo): boolean {
  const { damaged, damagedKeys } = source;
  if (damagedKeys === 0) {
    return false;
  }
  io.printError(`${countText(damagedKeys, "key")} could not be read from the store, and are not in the backup:`);
  for (const { detail } of damaged) {
    io.printError(`  ${detail}`);
  }
  if (damagedKeys > damaged.length) {
    io.printError(`  and ${damagedKeys - damaged.length} more`);
  }
  return true;
}
