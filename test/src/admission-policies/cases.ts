import { deciding } from "./cases/deciding.js";
import { emptyLists } from "./cases/empty-lists.js";
import { failing } from "./cases/failing.js";
import { matching } from "./cases/matching.js";
import { parameters } from "./cases/parameters.js";
import { validating } from "./cases/validating.js";
import { variables } from "./cases/variables.js";
import type { PolicyCase } from "./policy-case.js";

/** The cases that this server and v1.29 are asked. */
export const cases: readonly PolicyCase[] = [
  ...deciding,
  ...failing,
  ...matching,
  ...parameters,
  ...variables,
  ...validating,
  ...emptyLists,
];
