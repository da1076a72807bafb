export { StartError } from "./start-error.js";
export { type Backoff, defaultBackoff } from "./supervisor.js";
export { type UpOptions, up } from "./up.js";
