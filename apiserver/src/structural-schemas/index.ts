export { lazySchemas } from "./lazy-schemas.js";
export { customScale } from "./scale-view.js";
export { schemaKindStrategy, schemaKindVerbs } from "./schema-kinds.js";
export { SchemaRules } from "./schema-rules.js";
export { schemaValidation } from "./schema-validation.js";
