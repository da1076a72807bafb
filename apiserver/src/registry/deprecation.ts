import { apiVersionOf, type KindSchema } from "@gatehouse/envelopes/schema";

/** The deprecation of an API, as its clients learn of it. */
export interface Deprecation {
  /** Text of the Warning header, in the words kubectl users know. */
  readonly warning: string;
  /** Release that no longer serves the API, `1.32`; empty when that is not decided. */
  readonly removedRelease: string;
}

/** Returns the deprecation of a kind in the release that is served; undefined if it is not deprecated by then. */
export function deprecationOf(
  kind: KindSchema,
  release: { readonly major: string; readonly minor: string },
): Deprecation | undefined {
  const { deprecated, removed, replacement } = kind;
  if (deprecated === undefined || isAfter(deprecated, release)) {
    return undefined;
  }
  const gone = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const instead = replacement === undefined ? "" : `; use ${apiVersionOf(replacement)} ${replacement.kind}`;
  return {
    warning: `${apiVersionOf(kind)} ${kind.kind} is deprecated in v${deprecated}+${gone}${instead}`,
    removedRelease: removed ?? "",
  };
}

function isAfter(text: string, release: { readonly major: string; readonly minor: string }): boolean {
  const [major = 0, minor = 0] = text.split(".").map(Number);
  const current = Number(release.major) * 1000 + Number(release.minor);
  return major * 1000 + minor > current;
}
