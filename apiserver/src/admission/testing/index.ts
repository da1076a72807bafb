export { askPlugin, type PluginAnswer } from "./ask-plugin.js";
export { objectsInMemory } from "./objects-in-memory.js";
export { singleForms } from "./single-forms.js";
export { type TestWrite, testAttributes } from "./test-write.js";
