/** A place in a file of manifests. */
export interface ManifestPlace {
  readonly file: string;
  /** Line at which the document begins, or the field that a finding is about, from 1. */
  readonly line: number;
}

/** A manifest that was checked, or that no server would take. */
export interface CheckedManifest extends ManifestPlace {
  /** Name of the object: `Deployment shop/web`. */
  readonly object: string;
  /** Milliseconds that the check took. Absent where reports must be the same each time. */
  readonly durationMs?: number;
  /** Problems of the manifest, and remarks about it, in the order in which they were found. */
  readonly findings: readonly Finding[];
}

/** A problem of a manifest, or a remark about it. */
export interface Finding extends ManifestPlace {
  /** Id of the rule, which the report describes. */
  readonly rule: string;
  /**
   * Level of the finding: an API server would refuse the object (`error`), or store it and show the message
   * (`warning`), or neither (`note`).
   */
  readonly level: "error" | "warning" | "note";
  readonly message: string;
}

/** A document that was not checked. */
export interface SkippedDocument extends ManifestPlace {
  /** The reason, without a verb: `no manifest, without apiVersion and kind`. */
  readonly reason: string;
}

/** A rule that findings name. */
export interface ReportRule {
  readonly id: string;
  /** The rule as a heading. */
  readonly title: string;
  /** The rule in one sentence. */
  readonly description: string;
}

/** The result of a check of manifests. */
export interface ManifestReport {
  /** Name of the program that has checked them. */
  readonly tool: string;
  readonly rules: readonly ReportRule[];
  readonly checked: readonly CheckedManifest[];
  readonly skipped: readonly SkippedDocument[];
}
