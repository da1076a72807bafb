export { compileRootSchema } from "./compile-schema.js";
