// The package's main entry point: the parts that a module of hooks is written with. Serving, registering and testing have
// entry points of their own, so that such a module loads none of that.
export { type Converter, type ConverterOptions, converter, NotConvertibleError } from "./conversion/converter.js";
export {
  type AdmissionDecision,
  type Allowed,
  allow,
  type DecisionNotes,
  type Denied,
  type DenyOptions,
  deny,
  patch,
} from "./decision/decision.js";
export type { AdmissionRequest, Operation } from "./handlers/admission-request.js";
export { all } from "./handlers/all.js";
export { chain } from "./handlers/chain.js";
export type { Handler, HandlerContext } from "./handlers/handler.js";
export { type Mutation, mutator } from "./handlers/mutator.js";
export { inPodTemplates } from "./handlers/pod-templates.js";
export { type Check, type ChecksByOperation, type RequestOf, validator } from "./handlers/validator.js";
export { when } from "./handlers/when.js";
export { type Hook, mutatingHook, validatingHook } from "./hooks/hook.js";
export type { HookMatchCondition, HookOptions, HookRule, MutatingHookOptions } from "./hooks/hook-options.js";
export type { PatchOperation } from "./json-patch/create-json-patch.js";
export type { Lookup } from "./lookup/lookup.js";
export type { ObjectKey, ReadableResource } from "./lookup/readable-resource.js";
