import { generateName } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, ownList, ownObject, textAt } from "@gatehouse/envelopes/json";
import { containersOf } from "../pods.js";

/** The folder inside a pod where clients read the token of its account. */
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const volumePrefix = "kube-api-access-";

/**
 * Lifetime of tokens in seconds: an hour, and seven seconds that mark a token which a kubelet requested on its own
 * (v1.29).
 */
const tokenSeconds = 3607;

/** Mounts a token of the pod's account, the cluster's authority and the namespace into all containers that have nothing there. */
export function mountToken(pod: JsonObject): void {
  const spec = ownObject(pod, "spec");
  const known = listAt(spec, "volumes").find((volume) => textAt(volume, "name").startsWith(volumePrefix));
  const bare = containersOf(pod, ["initContainers", "containers"]).filter(
    (container) => !listAt(container, "volumeMounts").some((mount) => textAt(mount, "mountPath") === tokenPath),
  );
  if (bare.length === 0) {
    return;
  }
  const name = known === undefined ? generateName(volumePrefix) : textAt(known, "name");
  for (const container of bare) {
    ownList(container, "volumeMounts").push({ name, readOnly: true, mountPath: tokenPath });
  }
  if (known === undefined) {
    ownList(spec, "volumes").push({ name, projected: tokenSource() });
  }
}

function tokenSource(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 0o644,
  };
}
