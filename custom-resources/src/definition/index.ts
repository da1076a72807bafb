export { customResourceDefinitionRow } from "./definition.js";
