// Users who may approve or sign for drawn signers, and approve, deny, sign and make certificate requests. Both servers run with
// RBAC and the default admission plugins (start-with-roles.mjs). COUNT is the number of cases, SEED which.
import { certificate, requests } from "../lib/certificate-requests.mjs";
import { prepare, untilAllMayRead } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { bindingOf, rolesPath, user } from "../lib/random-roles.mjs";
import { as } from "../lib/random-users.mjs";

export const parallel = 4;
const { SEED = "1", COUNT = "800" } = process.env;
const prefix = `signers-${SEED}`;
const userCount = 40;
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const group = "certificates.k8s.io";
const own = ["example.com/a", "example.com/a", "example.com/b", "other.example.com/a", "example.com/a.b"];
const known = ["kubernetes.io/kube-apiserver-client", "kubernetes.io/kubelet-serving", "kubernetes.io/legacy-unknown"];
const signerNames = [...own, ...own, ...known];
const types = { merge: "application/merge-patch+json", json: "application/json-patch+json" };

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const users = Array.from({ length: userCount }, (_, i) => signer(new Random(Number(SEED) * 7_000_003 + i), i));
  await prepare(
    [left, right],
    users.flatMap(({ objects }) => objects),
  );
  await untilAllMayRead([left, right], `${path}/none`, users);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const { name } = r.pick(users);
    const object = `${prefix}-${i}`;
    const made = request(r, object, r.pick(signerNames));
    const byUser = r.chance(0.3);
    const created = {
      method: "POST",
      path,
      body: made,
      headers: byUser ? as(name, r.some(["system:nodes", "g"])) : {},
    };
    const changes = Array.from({ length: 1 + r.int(4) }, () => ({ ...change(r, object, made), headersOf: name }));
    const steps = [
      created,
      ...changes.map(({ headersOf, headers, ...step }) => ({ ...step, headers: { ...headers, ...as(headersOf, []) } })),
    ];
    yield { name: `${SEED}-${i} ${name} ${made.spec.signerName}`, independent: true, steps };
  }
}

/** A user who may write certificate requests, and holds drawn rules on signers. */
function signer(r, i) {
  const name = `${prefix}-u${i}`;
  const rule = () => ({
    verbs: r.pick([["approve"], ["sign"], ["approve", "sign"], ["*"], ["attest"], ["Approve"]]),
    apiGroups: [r.chance(0.9) ? group : r.pick(["*", ""])],
    resources: [r.chance(0.9) ? "signers" : r.pick(["*", "signers/x", "certificatesigningrequests"])],
    ...(r.chance(0.8) && {
      resourceNames: [
        r.pick([...own, ...known]),
        r.pick(["example.com/*", "kubernetes.io/*", "*", "example.com", "*/a", "other.example.com/*"]),
      ].slice(r.int(2)),
    }),
  });
  const write = {
    verbs: ["get", "create", "update", "patch"],
    apiGroups: [group],
    resources: [
      "certificatesigningrequests",
      "certificatesigningrequests/approval",
      "certificatesigningrequests/status",
    ],
  };
  const rules = [write, ...Array.from({ length: r.int(3) }, rule)];
  return {
    name,
    objects: [
      { path: rolesPath("clusterroles"), body: { metadata: { name }, rules } },
      { path: rolesPath("clusterrolebindings"), body: bindingOf(name, "ClusterRole", name, [user(name)]) },
    ],
  };
}

function request(r, name, signerName) {
  const usages = r.pick([
    ["client auth"],
    ["digital signature", "key encipherment", "client auth"],
    ["digital signature", "server auth"],
  ]);
  return {
    metadata: { name },
    spec: {
      request: r.pick(Object.values(requests)),
      signerName,
      usages,
      ...(r.chance(0.1) && { username: "forged", groups: ["system:masters"] }),
    },
  };
}

function condition(r) {
  const type = r.pick(["Approved", "Approved", "Denied", "Failed", "Own"]);
  return { type, status: r.chance(0.9) ? "True" : "False", reason: "R", message: "m" };
}

/** A change of the request, of its approval or of its status. */
function change(r, name, made) {
  const suffix = r.pick(["/approval", "/approval", "/approval", "/status", "/status", ""]);
  const status = r.pick([
    { conditions: [condition(r)] },
    { conditions: [condition(r), condition(r)] },
    { certificate },
    { conditions: [condition(r)], certificate },
    {},
  ]);
  const spec = r.chance(0.9) ? made.spec : { ...made.spec, signerName: r.pick(signerNames) };
  const at = `${path}/${name}${suffix}${r.chance(0.15) ? "?dryRun=All" : ""}`;
  const patched = (type, body) => ({
    method: "PATCH",
    path: at,
    body: JSON.stringify(body),
    headers: { "content-type": types[type] },
  });
  return r.pick([
    () => ({ method: "PUT", path: at, body: { metadata: { name }, spec, status } }),
    () => patched("merge", { status }),
    () => patched("merge", { metadata: { labels: { a: r.pick(["b", "c"]) } } }),
    () => patched("merge", { spec: { signerName: r.pick(signerNames) } }),
    () => patched("json", [{ op: "add", path: "/status/conditions", value: [condition(r)] }]),
  ])();
}
