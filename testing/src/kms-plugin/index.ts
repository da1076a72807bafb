export type { KmsFailure, KmsMethod } from "./kms-failures.js";
export { type KmsPlugin, type KmsPluginOptions, startKmsPlugin } from "./start-kms-plugin.js";
