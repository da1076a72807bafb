import { homedir } from "node:os";
import { join } from "node:path";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";

/** Flags that name an API server, spelled as those of kubectl. */
export const kubeconfigFlags = defineFlags({
  kubeconfig: {
    type: "path",
    group: "API server",
    help: "The kubeconfig `file`. Default: the first of KUBECONFIG, or ~/.kube/config.",
  },
  context: { type: "string", group: "API server", help: "The context of the kubeconfig to use." },
});

/** Reads the kubeconfig that the flags name, or that kubectl would use. Rejects with ConfigurationError. */
export function loadKubeconfigOfFlags(
  { kubeconfig, context }: FlagValues<typeof kubeconfigFlags>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ClientConfig> {
  const path = kubeconfig ?? env["KUBECONFIG"]?.split(":")[0] ?? join(homedir(), ".kube", "config");
  return loadKubeconfig(path, context === undefined ? {} : { context });
}
