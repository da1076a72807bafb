export { type Condition, isConditionTrue, setCondition } from "./conditions.js";
export { endOfObject } from "./end-of-object.js";
export { generateName } from "./generate-name.js";
export { isSameBySchema } from "./is-same-by-schema.js";
export { copyMembers, metaOf, type ObjectMeta, timestamp } from "./object-meta.js";
