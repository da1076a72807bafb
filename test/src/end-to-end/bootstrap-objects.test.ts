import { it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { generousMs, until } from "../support/until.js";

const paths = [
  ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
    (name) => `/apis/rbac.authorization.k8s.io/v1/${name}`,
  ),
  ...["flowschemas", "prioritylevelconfigurations"].map((name) => `/apis/flowcontrol.apiserver.k8s.io/v1/${name}`),
  ...["/apis/apiregistration.k8s.io/v1/apiservices", "/apis/scheduling.k8s.io/v1/priorityclasses"],
  "/api/v1/namespaces",
];

/** Flags without controllers that change these objects later. */
const flags = ["--controllers=kube-apiserver"];
/** A gate that is open anyway: a server with gates of its own has its controllers make the objects one by one. */
const gate = "--feature-gates=APIListChunking=true";

it("a new cluster begins with the objects that its controllers would make one by one", async () => {
  await using written = await startControlPlane({ flags });
  await using made = await startControlPlane({ flags: [...flags, gate] });
  for (const path of paths) {
    await until(`both have the same objects at ${path}`, async () => {
      const objects = await objectsAt(made, path);
      return objects.length > 0 && isDeepStrictEqual(await objectsAt(written, path), objects);
    });
  }
});

/** Returns the objects without what each cluster has of its own. */
async function objectsAt({ client }: ControlPlane, path: string): Promise<readonly object[]> {
  const { body } = await client.request({ path, signal: AbortSignal.timeout(generousMs), timeoutMs: generousMs });
  const { items } = JSON.parse(body.toString().replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "")) as {
    items: readonly { readonly metadata: object }[];
  };
  return items.map((item) => ({ ...item, metadata: { ...item.metadata, uid: "", resourceVersion: "" } }));
}
