export { AbacIndex } from "./abac-index.js";
export type { AbacFile, AbacPolicy } from "./abac-policy.js";
export { parseAbacFile } from "./parse-abac-file.js";
