export { transformedStore } from "./transformed-store.js";
export { chainTransformers, type ReadValue, type ValueTransformer } from "./value-transformer.js";
