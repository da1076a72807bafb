import { type ClientConfig, createHttpClient } from "@gatehouse/component-base";
import { administratorGroup } from "../identities.js";
import { StartError } from "../start-error.js";

const timeoutMs = 10_000;

/** Gives the administrators of a stack their rights, by a binding as anybody's. Rejects with StartError. */
export async function bindAdministrators(config: ClientConfig, signal: AbortSignal): Promise<void> {
  using client = createHttpClient({ config });
  const path = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${administratorGroup}`;
  const apiGroup = "rbac.authorization.k8s.io";
  const { status, body } = await client.requestJson({
    method: "PATCH",
    path: `${path}?fieldManager=gatehouse-up&force=true`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: {
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: administratorGroup },
      roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup, kind: "Group", name: administratorGroup }],
    },
    signal,
    timeoutMs,
  });
  if (status >= 300) {
    throw new StartError(`the API server did not take the administrators' binding: ${status} ${JSON.stringify(body)}`);
  }
}
