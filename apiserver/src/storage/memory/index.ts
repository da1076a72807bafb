export { MemoryData } from "./memory-data.js";
export { MemoryStore, type MemoryStoreOptions } from "./memory-store.js";
export { rewindStore } from "./rewind-store.js";
export { readImage, type StoreImage } from "./store-image.js";
