import type { CommandIo } from "@gatehouse/component-base/commands";
import { type ReviewProgram, runReviewProgram } from "../review-program/run-review-program.js";
import { openReloadingTokenReviewer } from "./open-token-reviewer.js";
import { tokenReviewEndpoint } from "./token-review-endpoint.js";

const program: ReviewProgram = {
  name: "gatehouse-token-review",
  summary: "Tells API servers whose tokens are, by OpenID Connect and by asking the servers that have issued them.",
  configHelp:
    "`file` of kind TokenReviewConfiguration (config.gatehouse.dev/v1alpha1): whose tokens are believed. Followed as it is replaced.",
  configGroup: "Tokens",
  defaultPath: "/token-review",
  defaultPort: 8446,
  async open({ file, path, metrics, logger }) {
    const configuration = await openReloadingTokenReviewer({ file, metrics, logger });
    const endpoint = await tokenReviewEndpoint({ reviewer: () => configuration.current.reviewer, path });
    return { endpoint, drain: [{ name: "issuers", drain: () => configuration[Symbol.dispose]() }] };
  },
};

/** Runs the program `gatehouse-token-review` until a signal stops it; resolves to the exit code. */
export function runTokenReview(argv: readonly string[], io: CommandIo): Promise<number> {
  return runReviewProgram(program, argv, io);
}
