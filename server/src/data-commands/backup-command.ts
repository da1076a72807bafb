import { type BackupFile, openBackup, takeFullBackup, takeIncrement } from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, type CommandLine, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { withProgress } from "./command-progress.js";
import { backupText, tellDamage } from "./describe.js";
import { openCommandStore, type StoreFlagLine } from "./open-command-store.js";
import { storeFlags } from "./store-flags.js";
import { verifyBackups } from "./verify-backups.js";

const form = {
  command: "gatehouse backup",
  summary:
    "Writes all that an API server has stored into a file, as of one revision, while the server runs. `gatehouse backup verify FILE...` checks backups. Exit code 1: no backup was made, or keys that are damaged are missing in it.",
  operands: ["FILE|FOLDER"],
  flags: {
    ...storeFlags,
    after: {
      type: "path",
      group: "Backup",
      help: "The last backup before this one. Only the changes since that `file` are written; all files from the full backup on are needed to restore.",
    },
    every: {
      type: "duration",
      min: 1000,
      group: "Backup",
      help: "Takes backups into a FOLDER until it is stopped, one in each `interval`: increments while the server keeps the changes since the last one (5 minutes at least, unless its --etcd-compaction-interval says otherwise), full ones otherwise. A failure is told, and tried again the next time.",
    },
    keep: {
      type: "int",
      default: 7,
      min: 1,
      max: 10_000,
      group: "Backup",
      help: "With --every: the `number` of full backups that are kept, each with its increments.",
    },
    increments: {
      type: "int",
      default: 100,
      min: 0,
      max: 100_000,
      group: "Backup",
      help: "With --every: the `number` of increments after a full backup, before the next full one.",
    },
  },
} as const;

/** `gatehouse backup`. */
export const backupCommand: Command = {
  async run(argv, io) {
    if (argv[0] === "verify") {
      return await verifyBackups(argv.slice(1), io);
    }
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const [target] = line.operands as [string];
    const { every } = line.values;
    return every === undefined ? await backUp(target, line, io) : await backUpAlways(target, { ...line, every }, io);
  },
};

type BackupLine = StoreFlagLine & CommandLine<typeof form.flags>;

/** Takes backups until a signal ends the process. */
async function backUpAlways(
  folder: string,
  line: BackupLine & { readonly every: number },
  io: CommandIo,
): Promise<number> {
  const { after, keep, increments } = line.values;
  if (after !== undefined) {
    throw new CommandError("--after names one backup before; with --every, each follows the one before it by itself");
  }
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  io.process.on("SIGINT", stop);
  io.process.on("SIGTERM", stop);
  const { runBackupSeries } = await import("./backup-series.js");
  const series = {
    folder,
    everyMs: line.every,
    keep,
    increments,
    open: () => openCommandStore(line),
    onBackup(file: BackupFile): void {
      io.print(`${backupText(file)}, checked`);
      tellDamage(file.trailer, io);
    },
    note: io.printError,
  };
  await runBackupSeries(series, stopping.signal);
  return 0;
}

async function backUp(path: string, line: BackupLine, io: CommandIo): Promise<number> {
  const { after } = line.values;
  for (const flag of ["keep", "increments"]) {
    if (line.given.has(flag)) {
      throw new CommandError(`--${flag} needs --every`);
    }
  }
  const previous = after === undefined ? undefined : await openBackup(after);
  const { store, prefix, name } = await openCommandStore(line);
  await using _ = store;
  const unit = previous === undefined ? "keys" : "changes";
  const file = await withProgress(io, { label: `reading ${unit} of ${name}`, unit, total: 0 }, async (advance) => {
    const options = { store, prefix, path, advance, note: io.printError };
    return previous === undefined ? await takeFullBackup(options) : await takeIncrement(options, previous);
  });
  io.print(`${backupText(file)}, checked`);
  return tellDamage(file.trailer, io) ? 1 : 0;
}
