import type { CommandIo } from "@gatehouse/component-base/commands";
import { type ReviewProgram, runReviewProgram } from "../review-program/run-review-program.js";
import { ImageDecisions } from "./decide-images.js";
import { imageReviewEndpoint } from "./image-review-endpoint.js";
import { openReloadingImageRules } from "./reloading-image-rules.js";

const program: ReviewProgram = {
  name: "gatehouse-image-review",
  summary: "Reviews the images of pods for API servers, by rules.",
  configHelp:
    "`file` of kind ImageRules (config.gatehouse.dev/v1alpha1): which images may be used. Followed as it is replaced.",
  configGroup: "Rules",
  defaultPath: "/review",
  defaultPort: 8444,
  async open({ file, path, metrics, logger }) {
    const rules = await openReloadingImageRules({ file, logger });
    const decisions = new ImageDecisions({ metrics });
    const endpoint = await imageReviewEndpoint({ decisions, rules: () => rules.current, path });
    return { endpoint, drain: [{ name: "rules", drain: () => rules[Symbol.dispose]() }] };
  },
};

/** Runs the program `gatehouse-image-review` until a signal stops it; resolves to the exit code. */
export function runImageReview(argv: readonly string[], io: CommandIo): Promise<number> {
  return runReviewProgram(program, argv, io);
}
