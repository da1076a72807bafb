import { type AdmissionAttributes, type AdmissionPlugin, isCoreWrite, refusal } from "@gatehouse/apiserver/admission";
import { ReviewFailedError } from "@gatehouse/apiserver/errors";
import { AnswerCache, ReviewClient } from "@gatehouse/apiserver/review-webhooks";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { StatusError } from "@gatehouse/envelopes/status";
import type { PluginParts } from "../plugin-parts.js";
import { readImagePolicy } from "./configuration.js";
import { encodeImageReview, type ImageVerdict, readVerdict, reviewSpec } from "./image-review.js";

const annotationPrefix = "imagepolicywebhook.image-policy.k8s.io/";
/** Number of answers that are kept, as in v1.29. */
const rememberedAnswers = 1024;

/**
 * ImagePolicyWebhook: asks a webhook whether the images of a pod may be used. When it cannot say, they may or not, as the
 * configuration has it; the audit log then tells that it failed open. The annotation that v1.29 gives the pod in that
 * case never arrives in what is stored or answered, so there is none here.
 */
export async function imagePolicyWebhook(
  parts: Pick<PluginParts, "configuration" | "now" | "signal">,
): Promise<AdmissionPlugin> {
  const config = await readImagePolicy(parts.configuration);
  const client = new ReviewClient({ ...config, read: readVerdict });
  parts.signal.addEventListener("abort", () => client[Symbol.dispose](), { once: true });
  const cache = new AnswerCache<ImageVerdict>(rememberedAnswers, parts.now);

  async function ask(attributes: AdmissionAttributes): Promise<ImageVerdict | undefined> {
    const spec = reviewSpec(attributes);
    const key = encodeJson(spec);
    const known = cache.get(key);
    if (known !== undefined) {
      return known;
    }
    try {
      const verdict = await client.review(encodeImageReview(spec), attributes.signal);
      cache.add(key, verdict, verdict.isAllowed ? config.allowTtlMs : config.denyTtlMs);
      return verdict;
    } catch (error) {
      if (!(error instanceof ReviewFailedError)) {
        throw error;
      }
      if (!config.defaultAllow || attributes.signal.aborted) {
        throw error.cause instanceof StatusError ? error.cause : refusal(attributes, error.message);
      }
      attributes.annotate(`${annotationPrefix}failed-open`, "true");
      return undefined;
    }
  }

  return {
    name: "ImagePolicyWebhook",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"], ["", "ephemeralcontainers"]),
    async validate(attributes) {
      const verdict = await ask(attributes);
      for (const [key, value] of verdict?.auditAnnotations ?? []) {
        attributes.annotate(`${annotationPrefix}${key}`, value);
      }
      if (verdict?.isAllowed === false) {
        throw refusal(attributes, denial(verdict.reason));
      }
    },
  };
}

function denial(reason: string): string {
  return reason === ""
    ? "one or more images rejected by webhook backend"
    : `image policy webhook backend denied one or more images: ${reason}`;
}
