// The moment from which disruption controllers know the scales of custom kinds.
import { prepare, untilBoth } from "../prepare-sides.mjs";
import { gizmos } from "./budget-owners.mjs";

const labels = { app: "known" };
const replicas = 3;

/** Waits until the controllers of the servers know the scales of custom kinds: v1.29's looks for new ones every half a minute. */
export async function untilScaled(sides) {
  await prepare(sides, [gizmos]);
  await untilBoth(
    sides,
    { method: "GET", path: "/apis/settled.example.com/v1/gizmos" },
    ({ status }) => status === 200,
  );
  const namespace = `known-${Date.now()}`;
  await prepare(sides, [{ path: "/api/v1/namespaces", body: { metadata: { name: namespace } } }]);
  for (const side of sides) {
    const uid = await makeGizmo(side, namespace);
    await untilExpected(side, namespace, uid);
  }
}

/** Makes pods with a budget again and again: a budget without known controllers is looked at once. */
async function untilExpected(side, namespace, uid) {
  const owner = { apiVersion: "settled.example.com/v1", kind: "Gizmo", name: "g", uid, controller: true };
  const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
  const body = { metadata: { name: "b" }, spec: { selector: { matchLabels: labels }, maxUnavailable: 1 } };
  await prepare([side], [{ path: budgets, body }]);
  for (let attempt = 0; attempt < 60; attempt++) {
    const metadata = { name: `p${attempt}`, labels, ownerReferences: [owner] };
    const pod = { metadata, spec: { containers: [{ name: "c", image: "i" }] } };
    await prepare([side], [{ path: `/api/v1/namespaces/${namespace}/pods`, body: pod }]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const { status } = await read(side, { method: "GET", path: `${budgets}/b` });
    if (status?.expectedPods === replicas) return;
  }
  throw new Error(`${side.server}: the scale of a custom kind is not known`);
}

async function makeGizmo(side, namespace) {
  const body = { apiVersion: "settled.example.com/v1", kind: "Gizmo", metadata: { name: "g" }, spec: { replicas } };
  const { metadata } = await read(side, {
    method: "POST",
    path: `/apis/settled.example.com/v1/namespaces/${namespace}/gizmos`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return metadata.uid;
}

const read = async (side, request) => JSON.parse((await side.request(request)).body.toString());
