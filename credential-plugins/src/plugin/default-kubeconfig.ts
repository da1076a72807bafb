import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The kubeconfig that kubectl would change: the first of $KUBECONFIG, or that in the home folder. */
export function defaultKubeconfig(env: Readonly<Record<string, string | undefined>>): string {
  const [first] = (env["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  return first ?? join(homedir(), ".kube", "config");
}
