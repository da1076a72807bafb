export { writeOptionsObject } from "./admission-options.js";
export { decodeBody, type ExpectedKind, expectedKind, typeMetaProblem } from "./body/decode-body.js";
export { type DeleteOptions, type PropagationPolicy, resolveDeleteOptions } from "./delete-options.js";
export { checkPreconditions, deleteObject } from "./deletion/delete.js";
export { foregroundFinalizer, orphanFinalizer } from "./deletion/deletion-finalizers.js";
export type { PodTermination } from "./deletion/plan-deletion.js";
export { checkNameParameter, keyOfNamed } from "./key-of-named.js";
export { parseListOptions } from "./list-options.js";
export { parseInteger } from "./parse-integer.js";
export {
  type ComputedEvent,
  respondWithComputed,
  respondWithComputedEvents,
  respondWithComputedList,
} from "./reading/computed.js";
export { readEntry } from "./reading/get.js";
export { listBody } from "./reading/list-body.js";
export { type OperationScope, type RequestScope, requestScope } from "./request-scope.js";
export {
  checkListShape,
  includeObjectOf,
  objectRepresentation,
  partialMetadata,
  representationFor,
  respondWithObject,
  sendMetaKind,
  sendTyped,
} from "./respond.js";
export type { VerbEnvironment } from "./verb-environment.js";
export { type HandlersOfKinds, handlersKey, type VerbHandler, type VerbHandlers } from "./verb-handler.js";
export { noWriteOptions, parseCreateOptions, type WriteOptions } from "./write-options.js";
export { type AnsweredKind, answerHandlers } from "./writing/answered-kind.js";
export { readSentObject } from "./writing/begin-write.js";
export { createObject } from "./writing/create.js";
export { writerOf } from "./writing/field-managers.js";
export { fillDefaults } from "./writing/fill-defaults.js";
export { mutateInAdmission } from "./writing/mutate-in-admission.js";
export { trackPostedFields } from "./writing/posted-fields.js";
export { checkUid, updateObject } from "./writing/update.js";
