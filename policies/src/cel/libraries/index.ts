import type { Library } from "./library.js";

/** The libraries of all releases. */
export const libraries: readonly Library[] = [];
