export { identity } from "./identity.js";
export { transformedStore } from "./transformed-store.js";
export { type ValueFormat, ValueFormats } from "./value-formats.js";
export {
  chainTransformers,
  type ReadValue,
  type ValueTransformer,
  ValueUnavailableError,
} from "./value-transformer.js";
