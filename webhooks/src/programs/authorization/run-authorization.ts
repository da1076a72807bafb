import type { CommandIo } from "@gatehouse/component-base/commands";
import { type ReviewProgram, runReviewProgram } from "../review-program/run-review-program.js";
import { authorizationEndpoint } from "./authorization-endpoint.js";
import { openReloadingAuthorizationRules } from "./reloading-authorization-rules.js";

const program: ReviewProgram = {
  name: "gatehouse-authorization",
  summary: "Decides for API servers who may do what, by rules.",
  configHelp:
    "`file` of kind AuthorizationRules (config.gatehouse.dev/v1alpha1): who may do what. Followed as it is replaced.",
  configGroup: "Rules",
  defaultPath: "/authorize",
  defaultPort: 8445,
  async open({ file, path, logger }) {
    const rules = await openReloadingAuthorizationRules({ file, logger });
    const endpoint = await authorizationEndpoint({ rules: () => rules.current, path });
    return { endpoint, drain: [{ name: "rules", drain: () => rules[Symbol.dispose]() }] };
  },
};

/** Runs the program `gatehouse-authorization` until a signal stops it; resolves to the exit code. */
export function runAuthorization(argv: readonly string[], io: CommandIo): Promise<number> {
  return runReviewProgram(program, argv, io);
}
