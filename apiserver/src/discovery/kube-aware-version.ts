/**
 * Compares versions as v1.29 ranks them, best first: stable before beta before alpha, then by number, downwards; what
 * does not look like a version comes last, in alphabetical order.
 */
export function byVersionRank(a: string, b: string): number {
  const left = rankOf(a);
  const right = rankOf(b);
  if (left === undefined || right === undefined) {
    return left === right ? (a < b ? -1 : a > b ? 1 : 0) : left === undefined ? 1 : -1;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

interface Rank {
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const stabilities = ["alpha", "beta"];

function rankOf(version: string): Rank | undefined {
  const match = /^v(\d{1,15})(?:(alpha|beta)(\d{1,15}))?$/.exec(version);
  if (match === null) {
    return undefined;
  }
  const [, major = "0", stability, minor = "0"] = match;
  return {
    stability: stability === undefined ? stabilities.length : stabilities.indexOf(stability),
    major: Number(major),
    minor: Number(minor),
  };
}
