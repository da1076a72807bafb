import { ClaimsError } from "../errors.js";
/** The claims of a token, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** A claim as v1.29 reads those that it knows by name: of any case, and the last one counts. */
export function knownClaim(claims: Claims, name: string): unknown {
  return knownClaims(claims, name).at(-1);
}

/** All spellings of a claim that v1.29 knows by name. It reads each of them, so that none may have a wrong type. */
export function knownClaims(claims: Claims, name: string): readonly unknown[] {
  return Object.keys(claims)
    .filter((candidate) => candidate.toLowerCase() === name)
    .map((key) => claims[key]);
}

/** A claim by its very name. Throws ClaimsError where there is none. */
export function ownClaim(claims: Claims, name: string): unknown {
  if (!Object.hasOwn(claims, name)) {
    throw new ClaimsError("claim not present");
  }
  return claims[name];
}

/** A text; null is an empty one, and half of a surrogate pair is the sign for what is no character. Throws ClaimsError for anything else. */
export function goString(value: unknown): string {
  if (value === null) {
    return "";
  }
  if (typeof value !== "string") {
    throw new ClaimsError(cannotUnmarshal(value, "string"));
  }
  return Buffer.from(value).toString();
}

/** A text, or a list of texts. Throws ClaimsError for anything else. */
export function goStrings(value: unknown): readonly string[] {
  if (value === null) {
    return [];
  }
  if (Array.isArray(value) && value.every((item) => item === null || typeof item === "string")) {
    return value.map(goString);
  }
  return [goString(value)];
}

/** Last second since 1970 that Go's clock can tell; a later one wraps around to a time long ago. */
const lastGoSecond = 2 ** 63 - 62_135_596_801;

/** A time in seconds since 1970 as Go's clock takes it: whole, and long ago where it is beyond what that can tell. */
export function goSeconds(seconds: number): number {
  return Math.abs(seconds) > lastGoSecond ? Number.NEGATIVE_INFINITY : Math.trunc(seconds);
}

/** Returns Go's error text for a JSON value that does not fit a type. */
export function cannotUnmarshal(value: unknown, type: string): string {
  const what = Array.isArray(value)
    ? "array"
    : typeof value === "object"
      ? "object"
      : typeof value === "boolean"
        ? "bool"
        : typeof value === "bigint"
          ? "number"
          : typeof value;
  return `json: cannot unmarshal ${what} into Go value of type ${type}`;
}
