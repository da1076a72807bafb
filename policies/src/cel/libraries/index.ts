import { authorizer } from "./authorizer/index.js";
import type { Library } from "./library.js";
import { lists } from "./lists.js";
import { literalValidation } from "./literal-validation.js";
import { wellKnownMessages } from "./messages/well-known-messages.js";
import { optionals } from "./optionals.js";
import { quantities } from "./quantity/quantity-library.js";
import { regex } from "./regex.js";
import { sets } from "./sets.js";
import { standardLibraries } from "./standard/index.js";
import { strings, stringsSince29 } from "./strings/strings-library.js";
import { urls } from "./urls/urls-library.js";

/** The libraries of all releases. */
export const libraries: readonly Library[] = [
  ...standardLibraries,
  wellKnownMessages,
  literalValidation,
  urls,
  regex,
  lists,
  authorizer,
  optionals,
  quantities,
  strings,
  stringsSince29,
  sets,
];
