export { type BoltEntry, BoltFile, readAt } from "./bolt-file.js";
export { type BoltBucket, type BoltPlan, planBoltFile } from "./bolt-writer.js";
