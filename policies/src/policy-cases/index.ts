export type {
  CaseOutcome,
  CaseRequest,
  ExpectedViolation,
  Operation,
  PolicyCase,
  PolicyCaseFile,
  PolicyCaseProblem,
} from "./policy-case.js";
export { type CaseSubjects, readPolicyCases } from "./read-policy-cases.js";
