import { openBackup, takeFullBackup, takeIncrement } from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { withProgress } from "./command-progress.js";
import { backupText, tellDamage } from "./describe.js";
import { openCommandStore, type StoreFlagLine } from "./open-command-store.js";
import { storeFlags } from "./store-flags.js";
import { verifyBackups } from "./verify-backups.js";

const form = {
  command: "gatehouse backup",
  summary:
    "Writes all that an API server has stored into a file, as of one revision, while the server runs. `gatehouse backup verify FILE...` checks backups. Exit code 1: no backup was made, or keys that are damaged are missing in it.",
  operands: ["FILE"],
  flags: {
    ...storeFlags,
    after: {
      type: "path",
      group: "Backup",
      help: "The last backup before this one. Only the changes since that `file` are written; all files from the full backup on are needed to restore.",
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
    return line === undefined ? 0 : await backUp(line.operands[0] as string, line, io);
  },
};

async function backUp(
  path: string,
  line: StoreFlagLine & { readonly values: { readonly after: string | undefined } },
  io: CommandIo,
): Promise<number> {
  const { after } = line.values;
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
