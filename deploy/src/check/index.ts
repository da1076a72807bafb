export {
  type CheckResult,
  type CheckSettings,
  checkManifests,
  type JudgeSettings,
  judgeManifests,
} from "./check-manifests.js";
export type { CheckAnswer, CheckRequest, JudgingServer } from "./judging-server.js";
export type { DocumentSettings } from "./manifest-check.js";
export { warningsIn } from "./warnings-in.js";
