import { basename } from "node:path";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { problemAt } from "@gatehouse/component-base/problems";
import { defaultKubeconfig } from "../plugin/default-kubeconfig.js";
import type { certificateFlags } from "./certificate-flags.js";

/** The certificate to request, and where and as whom to request it. */
export interface CertificateSettings {
  /** Client configuration for calling the API server before there is a certificate. */
  readonly bootstrap: ClientConfig;
  readonly user: string;
  readonly groups: readonly string[];
  readonly signerName: string;
  readonly durationMs: number;
  readonly approvalTimeoutMs: number;
}

/** Throws ConfigurationError. */
export async function resolveCertificateSettings(
  values: FlagValues<typeof certificateFlags>,
  env: Readonly<Record<string, string | undefined>>,
  program: string,
): Promise<CertificateSettings> {
  const { user } = values;
  if (user === "") {
    throw new ConfigurationError("flags", [problemAt("--user", "is required")]);
  }
  const path = values["bootstrap-kubeconfig"] ?? defaultKubeconfig(env);
  const context = values["bootstrap-context"];
  const bootstrap = await loadKubeconfig(path, context === undefined ? {} : { context });
  const command = bootstrap.exec?.command;
  if (command !== undefined && basename(command, ".js") === program) {
    const what = "logs in through this very program; name a context that does not";
    throw new ConfigurationError("flags", [problemAt("--bootstrap-context", what)]);
  }
  return {
    bootstrap,
    user,
    groups: values.groups,
    signerName: values["signer-name"],
    durationMs: values.duration,
    approvalTimeoutMs: values["approval-timeout"],
  };
}
