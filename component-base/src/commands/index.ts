export type { Command, CommandIo } from "./command.js";
export { type CommandForm, type CommandLine, parseArguments } from "./parse-arguments.js";
export { processIo } from "./process-io.js";
export { type Progress, progressBar } from "./progress-bar.js";
export { type CommandEntry, type CommandProgram, runCommands, runProgram, withWordsAsFlags } from "./run-commands.js";
export { versionText } from "./version-text.js";
