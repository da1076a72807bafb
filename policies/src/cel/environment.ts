import { Declarations } from "./checker/declarations.js";
import { libraries } from "./libraries/index.js";
import type { Release } from "./libraries/library.js";

/**
 * The release whose expressions new objects may use: one before this server's, so that the release before it can read
 * what is stored, as in v1.29.
 */
const compatibleRelease: Release = [1, 28];

/** The functions and types that expressions of new objects may use. Variables are added by `withVariables`. */
export const newExpressions: Declarations = declarationsFor(compatibleRelease);

/** The functions and types of all releases that this server knows, for expressions that are stored already. */
export const storedExpressions: Declarations = declarationsFor([Number.MAX_SAFE_INTEGER, 0]);

function declarationsFor(release: Release): Declarations {
  return Declarations.of(
    libraries.filter(
      ({ introduced, removed }) => reaches(release, introduced) && !(removed && reaches(release, removed)),
    ),
  );
}

function reaches([major, minor]: Release, since: Release): boolean {
  return major > since[0] || (major === since[0] && minor >= since[1]);
}
