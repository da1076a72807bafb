import type { Finding } from "@gatehouse/component-base/manifests";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/**
 * Replaces what is another text in each run: names that the server generates, and ports of the check. The difference
 * between two pods that a refused update prints goes, too: it holds all values of both.
 */
export function withoutChance(finding: Finding, content: JsonObject): Finding {
  const message = finding.message
    .replace(/\n\s*core\.PodSpec\{[\s\S]*$/, "")
    .replaceAll(/\bkube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-xxxxx")
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//g, "https://hooks/");
  return { ...finding, message: withoutGeneratedName(message, content) };
}

function withoutGeneratedName(message: string, content: JsonObject): string {
  const prefix = textAt(content, "metadata", "name") === "" ? textAt(content, "metadata", "generateName") : "";
  if (!/^[a-z0-9.-]+$/.test(prefix)) {
    return message;
  }
  // Of the characters of names, expressions read only the dot as something else.
  const generated = new RegExp(`${prefix.replaceAll(".", "\\.")}[a-z0-9]{5}\\b`, "g");
  return message.replaceAll(generated, `${prefix}xxxxx`);
}
