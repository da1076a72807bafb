export {
  isSameDocument,
  jsonByteLength,
  member,
  shallowCopy,
  sortMembersInPlace,
  withoutHolders,
  withoutNulls,
} from "./json-members.js";
export {
  applyJsonPatch,
  type DecodedJsonPatch,
  decodeJsonPatch,
  type JsonPatchOperation,
  type JsonPatchOptions,
  jsonPatchSteps,
} from "./json-patch.js";
export { applyMergePatch } from "./merge-patch.js";
export { patchDoesNotApply } from "./patch-does-not-apply.js";
