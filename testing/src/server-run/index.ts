export { runProgram, type ServerProgram } from "./as-process.js";
export type { ServerRun } from "./server-run.js";
