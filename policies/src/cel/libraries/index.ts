import type { Library } from "./library.js";
import { literalValidation } from "./literal-validation.js";
import { standardLibraries } from "./standard/index.js";

/** The libraries of all releases. */
export const libraries: readonly Library[] = [...standardLibraries, literalValidation];
