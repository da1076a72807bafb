export { type HeldFlushes, holdFlushes } from "./held-flushes.js";
export { type CrashPoint, forEachCrash, MortalProcess, type TornWrite } from "./mortal-process.js";
