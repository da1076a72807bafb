import { writeFileAtomic } from "@gatehouse/component-base/files";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { rewrittenNote } from "./rewritten-note.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";
import { webhookKubeconfig } from "./webhook-kubeconfig.js";

/**
 * Writes how the API server makes itself known to the webhook servers of the stack, and where its images are reviewed.
 * Returns its flags.
 */
export async function writeAdmissionConfiguration(
  { dataDir, pki }: StackContext,
  imageReview: StackPart | undefined,
): Promise<string[]> {
  const webhooks = dataDir.fileOf("webhooks.kubeconfig");
  await writeFileAtomic(webhooks, await webhookKubeconfig("*", "https://127.0.0.1", pki), { mode: 0o600 });
  const plugins: JsonObject[] = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"].map((name) => ({
    name,
    configuration: {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "WebhookAdmissionConfiguration",
      kubeConfigFile: webhooks,
    },
  }));
  if (imageReview !== undefined) {
    const kubeConfigFile = dataDir.fileOf("image-review.kubeconfig");
    const server = `https://127.0.0.1:${imageReview.port}/review`;
    await writeFileAtomic(kubeConfigFile, await webhookKubeconfig("apiserver", server, pki), { mode: 0o600 });
    const imagePolicy = { kubeConfigFile, allowTTL: 10, denyTTL: 10, retryBackoff: 500, defaultAllow: false };
    plugins.push({ name: "ImagePolicyWebhook", configuration: { imagePolicy } });
  }
  const file = dataDir.fileOf("admission-control.yaml");
  const document = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins };
  await writeFileAtomic(file, `${rewrittenNote}${encodeYaml(document)}`, { mode: 0o600 });
  return [
    `--admission-control-config-file=${file}`,
    ...(imageReview === undefined ? [] : ["--enable-admission-plugins=ImagePolicyWebhook"]),
  ];
}
