export { closestName } from "./closest-name.js";
export { defineFlags } from "./define-flags.js";
export type {
  BoolFlag,
  DurationFlag,
  FlagCommon,
  FlagDefinition,
  FlagTable,
  FlagValue,
  FlagValues,
  FloatFlag,
  IntFlag,
  IpFlag,
  KeyValueFlag,
  PathFlag,
  StringFlag,
  StringListFlag,
} from "./flag-definition.js";
export { formatHelp, type HelpOptions } from "./flag-help.js";
export { type ParsedFlags, parseFlags } from "./parse-flags.js";
