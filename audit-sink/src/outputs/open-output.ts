import { standardOutput } from "@gatehouse/component-base/files";
import type { OutputConfig } from "../config/output-config.js";
import type { Output, OutputContext } from "./output.js";

/** Makes the output that a configuration asks for. Each kind is loaded when it is asked for. */
export async function openOutput(config: OutputConfig, context: OutputContext): Promise<Output> {
  switch (config.type) {
    case "file":
      return await (await import("./file/file-output.js")).openFileOutput(config.file, context);
    case "stdout":
      return (await import("./stdout-output.js")).stdoutOutput(standardOutput);
    case "webhook":
      return await (await import("./webhook-output.js")).openWebhookOutput(config.webhook, context);
    case "otlp":
      return await (await import("./otlp/otlp-output.js")).openOtlpOutput(config.otlp);
    case "nats":
      return await (await import("./nats-output.js")).openNatsOutput(config.nats, context);
  }
}
