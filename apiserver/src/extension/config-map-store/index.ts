export { type ConfigMapStoreOptions, maxConfigMapValueBytes, openConfigMapStore } from "./config-map-store.js";
