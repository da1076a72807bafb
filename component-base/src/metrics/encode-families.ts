import { StepMeter, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { compactMessageText, delimitedMessage, messageText } from "./encode-messages.js";
import { familyMessage } from "./family-messages.js";
import type { MetricsFormat } from "./metrics-format.js";
import { readExposition } from "./scraped-families.js";

/** Number of lines whose metrics are encoded in one step. */
const linesPerStep = 500;

/** Encodes metrics in text format 0.0.4 as messages of io.prometheus.client.MetricFamily. */
export async function encodeFamilies(
  text: string,
  encoding: Exclude<MetricsFormat["encoding"], "exposition">,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const meter = new StepMeter(linesPerStep);
  for (const family of await readExposition(text)) {
    const message = familyMessage(family);
    if (encoding === "delimited") {
      parts.push(delimitedMessage(message));
    } else {
      parts.push(Buffer.from(`${encoding === "text" ? messageText(message) : compactMessageText(message)}\n`));
    }
    if (meter.count(family.samples.length)) {
      await yieldToEventLoop();
    }
  }
  return Buffer.concat(parts);
}
