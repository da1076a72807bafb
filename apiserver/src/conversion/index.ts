export { type Conversion, convert, sameShape } from "./convert.js";
export { metadataWith, present, struct, unlessZero } from "./members.js";
