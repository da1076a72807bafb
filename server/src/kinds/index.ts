export { builtinApi } from "./builtin-api.js";
export { builtinResources } from "./builtin-resources.js";
