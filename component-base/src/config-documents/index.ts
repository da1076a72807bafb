export { checkConfigDocument } from "./check-config-document.js";
export type { ConfigDocument } from "./config-document.js";
export { type DocumentValidator, documentValidator } from "./document-validator.js";
export { readConfigFile } from "./read-config-file.js";
