export type { DocumentProblem } from "./document-problem.js";
