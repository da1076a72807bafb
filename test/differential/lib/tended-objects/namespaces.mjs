// What every namespace is given, in namespaces that stay and that are about to end.
import { send } from "../life-cycles/steps.mjs";
import { subjectOf } from "../life-cycles/subjects.mjs";
import { erase, look, make, makeNamespace, merge, world } from "./steps.mjs";

const kinds = [
  { apiVersion: "v1", kind: "ServiceAccount", plural: "serviceaccounts", name: "default" },
  { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", name: "kube-root-ca.crt" },
];
const description = "kubernetes.io/description";

/** Draws the steps of a world. No controller ends its namespace. */
export function namespaceSteps(r, base) {
  const subjects = kinds.map((kind) => subjectOf(kind, { key: kind.plural, base: kind.name, namespace: base }));
  const [account, authority] = subjects;
  const path = `/api/v1/namespaces/${base}`;
  const actions = [
    () => erase(r, account),
    () => erase(r, authority),
    () => erase(r, r.pick(subjects)),
    () => erase(r, { path }),
    () => make(account, {}),
    () => make(authority, { data: { x: "1" } }),
    () => merge(account.path, { secrets: [{ name: "x" }], metadata: { annotations: { mine: "1" } } }),
    () => merge(authority.path, { data: r.pick([{ "ca.crt": "wrong" }, { "ca.crt": null }, { more: "1" }, null]) }),
    () => merge(authority.path, { binaryData: r.pick([{ b: "AAE=" }, null]) }),
    () =>
      merge(authority.path, {
        metadata: {
          annotations: r.pick([
            null,
            { [description]: null },
            { [description]: "mine" },
            { [description]: "" },
            { mine: "1" },
          ]),
        },
      }),
    () => merge(authority.path, { metadata: { labels: { a: "1" } }, ...(r.chance(0.3) && { immutable: true }) }),
    () => merge(r.pick(subjects).path, { metadata: { finalizers: r.pick([[], ["example.com/held"]]) } }),
    () => merge(path, { metadata: { labels: { a: r.pick(["1", "2"]) } } }),
    () =>
      send("PUT", `${path}/finalize`, {
        metadata: { name: base },
        spec: { finalizers: r.pick([[], ["example.com/held"]]) },
      }),
  ];
  return world({
    made: [makeNamespace(base)],
    actions: Array.from({ length: 3 + r.int(6) }, () => r.pick(actions)()),
    looks: (label) => subjects.map((one) => look(one, label)),
    readable: withoutProse,
  });
}

/** Returns an object without the words in which each program describes it. */
function withoutProse(object) {
  const text = object.metadata?.annotations?.[description];
  if (text === undefined || text.length < 20) return object;
  const annotations = { ...object.metadata.annotations, [description]: "DESCRIPTION" };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
