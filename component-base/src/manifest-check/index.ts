export { type CheckForm, manifestCheckCommand } from "./check-command.js";
export { describeObject } from "./describe-object.js";
export type { DocumentVerdict, Judgement, ManifestJudge } from "./judgement.js";
export { lineOf, lineOfField } from "./locate-field.js";
export { type Inputs, readInputs } from "./read-inputs.js";
export { reportJudgement } from "./report-judgement.js";
