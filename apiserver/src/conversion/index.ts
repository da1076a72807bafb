export { type Conversion, type ConvertMembers, convert, sameShape } from "./convert.js";
export { metadataWith, present, struct, unlessZero } from "./members.js";
export { type OlderVersion, versionsOfSameShape } from "./older-version.js";
