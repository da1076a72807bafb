export { type ArchiveEntry, type WrittenArchive, writeArchive } from "./archive.js";
export {
  type Descriptor,
  type ImageConfig,
  type ImageDescription,
  type ImageLayoutOptions,
  type ReadImage,
  readImageLayout,
  writeImageLayout,
} from "./image-layout.js";
export { type NodeRuntime, nodeRuntime } from "./node-runtime.js";
export { imageUser, systemEntries, withParents } from "./root-file-system.js";
