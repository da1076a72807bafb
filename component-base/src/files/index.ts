export { type FollowedFiles, type FollowFilesOptions, followFiles } from "./follow-files.js";
export { lockDirectory } from "./lock-directory.js";
export { isAbsence, makeFolder, makeFolderSync } from "./make-folder.js";
export { type LineOutput, standardOutput } from "./standard-output.js";
export { syncDirectory } from "./sync-directory.js";
export { writeFileAtomic } from "./write-file-atomic.js";
