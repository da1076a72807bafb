import type { Command } from "@gatehouse/component-base/commands";
import { runCheck } from "../check-command.js";
import { dataDirectoryFlag } from "./store-flags.js";

/** `gatehouse check`: `gatehouse-apiserver check` beside the other commands for data. */
export const checkCommand: Command = {
  async run(argv, io) {
    return runCheck(argv, { out: io.print, err: io.printError }, { command: "gatehouse check", dataDirectoryFlag });
  },
};
