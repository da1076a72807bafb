import type { Hook } from "../../../toolkit/hooks/hook.js";

/** A place in a file of manifests. */
export interface ManifestPlace {
  readonly file: string;
  /** Line at which the document begins, from 1. */
  readonly line: number;
}

/** A manifest that was put to the hooks, or could not be. */
export interface CheckedManifest extends ManifestPlace {
  /** `Deployment shop/web`. */
  readonly object: string;
  /** Time that it took to prepare and judge the object. */
  readonly durationMs: number;
}

/** A problem of one manifest. */
export interface Finding extends ManifestPlace {
  readonly object: string;
  /** Name of the hook, or `manifest` when no server would take the object. */
  readonly rule: string;
  /** `error` would be refused; `warning` would be let through with this message. */
  readonly level: "error" | "warning";
  readonly message: string;
}

/** The rule of findings that come from no hook. */
export const manifestRule = "manifest";

/** The result of a check: the manifests that were looked at, the documents that were not, and what was found. */
export interface CheckReport {
  readonly hooks: readonly Hook[];
  readonly checked: readonly CheckedManifest[];
  /** Documents that are no manifests: they have neither apiVersion nor kind. */
  readonly skipped: readonly ManifestPlace[];
  readonly findings: readonly Finding[];
}
