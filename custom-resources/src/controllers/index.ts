export { definitionApiApproval } from "./api-approval.js";
export { definitionEstablishing } from "./establishing.js";
export { definitionFinalizing } from "./finalizing.js";
export { definitionNaming } from "./naming.js";
export { definitionNonStructuralSchema } from "./non-structural-schema.js";
