import type { Hook } from "../../../toolkit/hooks/hook.js";

/** A place in a file of manifests. */
export interface ManifestPlace {
  readonly file: string;
  /** Line at which the document begins, from 1. */
  readonly line: number;
}

/** A manifest that was put to the hooks, or that no server would take. */
export interface CheckedManifest extends ManifestPlace {
  /** Name of the object: `Deployment shop/web`. */
  readonly object: string;
  /** Milliseconds that it took to prepare the object and to ask the hooks. */
  readonly durationMs: number;
}

/** A problem of one manifest, or a remark about it. */
export interface Finding extends ManifestPlace {
  readonly object: string;
  /** Name of the hook, policy or definition, or `manifest` when no server would take the object. */
  readonly rule: string;
  /**
   * Level of the finding: an API server would refuse the object (`error`), or store it and show the message
   * (`warning`), or neither (`note`).
   */
  readonly level: "error" | "warning" | "note";
  readonly message: string;
}

/** The rule of findings that come from no hook or policy. */
export const manifestRule = "manifest";

/** The result of a check: the manifests that were checked, the documents that were skipped, and the findings. */
export interface CheckReport {
  readonly hooks: readonly Hook[];
  /** Names of the policies. */
  readonly policies: readonly string[];
  /** Names of the CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  readonly checked: readonly CheckedManifest[];
  /** Documents that are no manifests: they have neither apiVersion nor kind. */
  readonly skipped: readonly ManifestPlace[];
  readonly findings: readonly Finding[];
}
