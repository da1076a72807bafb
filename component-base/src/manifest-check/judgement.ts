import type { Finding, ManifestReport, ReportRule, SourceDocument } from "../manifests/index.js";
import type { Inputs } from "./read-inputs.js";

/** The verdict on a document: its findings, or the reason why nobody can judge it. */
export interface DocumentVerdict {
  readonly findings: readonly Finding[];
  /** The reason why the document was not checked, without a verb: `no manifest`. */
  readonly skipped?: string;
  /** Milliseconds that the verdict took. Absent where reports must be the same each time. */
  readonly durationMs?: number;
}

/** The verdicts on the documents of a check, and what the report says of them. */
export interface Judgement {
  /** Name of the program that has judged, as reports name it. */
  readonly tool: string;
  /** The rules that findings name. */
  readonly rules: readonly ReportRule[];
  /** Id of the rule of documents that cannot be read. */
  readonly unreadable: string;
  /** A verdict for each document. */
  readonly verdicts: ReadonlyMap<SourceDocument, DocumentVerdict>;
}

/**
 * A judge of manifests: a server, or hooks and policies by themselves. Takes the documents of one check, of which there is at
 * least one, and is called again for each further check.
 */
export type ManifestJudge = (inputs: Inputs) => Promise<ManifestReport>;
