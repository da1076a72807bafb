export { type BackingName, backingNames } from "./backing.js";
export { type FrontStoreOptions, maxFrontValueBytes, openFrontStore } from "./front-store.js";
export { recordDefinition } from "./record-definition.js";
