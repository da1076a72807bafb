import { resolve } from "node:path";
import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";

/** The configuration of image reviews. */
export interface ImagePolicyConfig {
  /** The webhook, with the identity of the API server for it. */
  readonly client: ClientConfig;
  /** Milliseconds for which an answer that allows is kept; 0 for not at all. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Milliseconds before the first retry of a failed call. */
  readonly retryBackoffMs: number;
  /** True if images are allowed when the webhook gives no answer. */
  readonly defaultAllow: boolean;
}

const kind = { group: "apiserver.config.k8s.io", version: "v1", kind: "ImagePolicyWebhookConfiguration" };

/** The bounds of v1.29, with what 0 stands for. */
const ttlSeconds = { least: 1, most: 30 * 60 };
const backoffMs = { least: 1, most: 5 * 60_000, usual: 500 };
const usualAllowSeconds = 5 * 60;
const usualDenySeconds = 30;

/** Reads the configuration of the plugin and the kubeconfig that it names. Throws ConfigurationError. */
export async function readImagePolicy(document: ConfigDocument | undefined): Promise<ImagePolicyConfig> {
  if (document === undefined) {
    throw new ConfigurationError("ImagePolicyWebhook", [
      problemAt("imagePolicy", "is required: it needs a configuration"),
    ]);
  }
  const { imagePolicy } = await checkConfigDocument<apiserverconfigV1.ImagePolicyWebhookConfiguration>(
    withKind(document),
    [kind],
  );
  const { allowTTL, denyTTL, retryBackoff, defaultAllow = false, kubeConfigFile } = imagePolicy;
  const problems: Problem[] = [];
  const read = (member: string, value: unknown, bounds: { least: number; most: number; usual: number }): number => {
    const stated = Number(value ?? 0);
    if (stated === -1) {
      return 0;
    }
    if (stated !== 0 && (stated < bounds.least || stated > bounds.most)) {
      problems.push(
        problemAt(
          `imagePolicy.${member}`,
          `must be from ${bounds.least} to ${bounds.most}, 0 for the default or -1 for none`,
        ),
      );
    }
    return stated === 0 ? bounds.usual : stated;
  };
  const retryBackoffMs = read("retryBackoff", retryBackoff, backoffMs);
  const allowTtlMs = read("allowTTL", allowTTL, { ...ttlSeconds, usual: usualAllowSeconds }) * 1000;
  const denyTtlMs = read("denyTTL", denyTTL, { ...ttlSeconds, usual: usualDenySeconds }) * 1000;
  if (problems.length > 0) {
    throw new ConfigurationError(document.subject, problems);
  }
  const client = await loadKubeconfig(resolve(document.folder, kubeConfigFile));
  return { client, allowTtlMs, denyTtlMs, retryBackoffMs, defaultAllow };
}

/** Adds version and kind to a document that comes without: v1.29 accepts it so. */
function withKind(document: ConfigDocument): ConfigDocument {
  const { content } = document;
  if (content["apiVersion"] !== undefined || content["kind"] !== undefined) {
    return document;
  }
  return { ...document, content: { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, ...content } };
}
