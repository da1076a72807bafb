export { identity } from "./identity.js";
export { transformedStore } from "./transformed-store.js";
export {
  chainTransformers,
  type ReadValue,
  type ValueTransformer,
  ValueUnavailableError,
} from "./value-transformer.js";
