export { isSameAsSent, listAsSent, mapAsSent } from "./as-sent.js";
export { goDiff } from "./diff.js";
export { goObjectMeta } from "./object-meta.js";
export { goSyntax, goSyntaxOfList } from "./syntax.js";
