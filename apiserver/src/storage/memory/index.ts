export { checkStoreKey } from "./check-store-key.js";
export { MemoryData } from "./memory-data.js";
export { rangeOf } from "./memory-range.js";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.js";
export { watchMemory } from "./memory-watch.js";
export { rewindStore } from "./rewind-store.js";
export { newValueTree, readImage, type StoreImage } from "./store-image.js";
