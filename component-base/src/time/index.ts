export { currentRound, inNextRound } from "./next-round.js";
export { pause } from "./pause.js";
export { unlessAborted } from "./unless-aborted.js";
