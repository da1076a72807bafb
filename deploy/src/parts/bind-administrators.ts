import { createHttpClient } from "@gatehouse/component-base/http-client";
import { administratorGroup } from "../identities.js";
import { adminClientConfig } from "../local-pki.js";
import { applyObject } from "./apply-object.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Gives the administrators of a stack their rights, by a binding as anybody's. Rejects with StartError. */
export async function bindAdministrators(
  { pki }: StackContext,
  apiServer: StackPart,
  signal: AbortSignal,
): Promise<void> {
  using client = createHttpClient({ config: adminClientConfig(pki, apiServer.port) });
  const apiGroup = "rbac.authorization.k8s.io";
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: administratorGroup },
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup, kind: "Group", name: administratorGroup }],
  };
  await applyObject(client, `/apis/${apiGroup}/v1/clusterrolebindings/${administratorGroup}`, binding, signal);
}
