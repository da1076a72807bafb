export { isSameAsSent, listAsSent, mapAsSent } from "./as-sent.js";
export { goDiff } from "./diff.js";
export { goDate, goPointer, goQuantity, goSlice, goStruct, goTexts, goTime } from "./literals.js";
export { goObjectMeta } from "./object-meta.js";
export { goSyntax, goSyntaxOfList } from "./syntax.js";
export { goTextMap, goTextMapOf } from "./text-map.js";
