import type { CheckedManifest, Finding } from "./manifest-report.js";

/** Reports whether a finding says that an API server would refuse the object. */
export function isError({ level }: Finding): boolean {
  return level === "error";
}

/** Reports whether an API server would refuse a manifest. */
export function isRefused({ findings }: CheckedManifest): boolean {
  return findings.some(isError);
}
