// Who writes what needs a permission on a signer. All of them may write the resources; what they may do with signers differs.
import { post, quiet } from "../admission-pods/objects.mjs";

const group = "rbac.authorization.k8s.io";
const api = `/apis/${group}/v1`;
const verbs = ["get", "list", "create", "update", "patch", "delete", "deletecollection"];

/** Verbs on signers by the names of users; `lib/admission-defaults/tokens.csv` has their tokens. */
const onSigners = {
  nobody: [],
  exact: [
    ["approve", "sign", "attest"],
    ["example.com/a", "kubernetes.io/kube-apiserver-client"],
  ],
  domain: [
    ["approve", "sign", "attest"],
    ["example.com/*", "kubernetes.io/*"],
  ],
  // Each verb for the signer that another verb is asked for, and names that only look like patterns.
  crossed: [["approve"], ["example.org/b"], ["sign"], ["example.com/a"], ["attest"], ["example.com/*x", "*"]],
  elsewhere: [["*"], ["example.net/c"]],
  master: [],
};

export const people = Object.keys(onSigners);

/** The step as somebody else than the administrator. */
export const by = (name, step) => ({
  ...step,
  as: "none",
  headers: { ...step.headers, authorization: `Bearer ${name}-token` },
});

function* signerRules(entries) {
  for (let at = 0; at < entries.length; at += 2) {
    const [verbs, resourceNames] = entries.slice(at, at + 2);
    yield { verbs, apiGroups: ["certificates.k8s.io"], resources: ["signers"], resourceNames };
  }
}

function* grant(name, subject, rules) {
  yield quiet(post(`${api}/clusterroles`, { metadata: { name }, rules }));
  const roleRef = { apiGroup: group, kind: "ClusterRole", name };
  const subjects = [{ apiGroup: group, ...subject }];
  yield quiet(post(`${api}/clusterrolebindings`, { metadata: { name }, roleRef, subjects }));
}

/** Yields the objects that the administrator creates before the other users write. */
export function* permissions() {
  yield* grant("adm-writers", { kind: "Group", name: "writers" }, [
    { verbs, apiGroups: ["certificates.k8s.io"], resources: ["*"] },
  ]);
  for (const [name, entries] of Object.entries(onSigners)) {
    const rules = [...signerRules(entries)];
    if (rules.length > 0) yield* grant(`adm-${name}`, { kind: "User", name }, rules);
  }
}
