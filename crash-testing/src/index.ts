export { type CrashPoint, forEachCrash, MortalProcess, type TornWrite } from "./mortal-process.js";
