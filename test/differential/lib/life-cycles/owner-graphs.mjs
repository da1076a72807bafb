// Drawn graphs of owners and dependents in two namespaces, deletions in them, and views of what remains of them.
import { eventView } from "./event-view.mjs";
import { kindOf } from "./kinds.mjs";
import { pauses, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

const kindNames = ["ConfigMap", "ConfigMap", "Secret", "Widget", "Widget", "PodTemplate", "Gadget", "ClusterRole"];
const plain = {
  PodTemplate: {
    plural: "podtemplates",
    kind: "PodTemplate",
    apiVersion: "v1",
    object: () => ({ template: { spec: { containers: [{ name: "c", image: "i" }] } } }),
  },
  ClusterRole: {
    plural: "clusterroles",
    kind: "ClusterRole",
    apiVersion: "rbac.authorization.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ rules: [] }),
  },
};
const held = "example.com/held";
const nobody = "00000000-0000-0000-0000-000000000000";

/** Draws a graph: the namespaces, the subjects, and the steps that make them. */
export function drawGraph(r, base) {
  const namespaces = [base, `${base}-b`];
  const subjects = Array.from({ length: 3 + r.int(4) }, (_, at) => {
    const name = r.pick(kindNames);
    const kind = plain[name] ?? kindOf(name);
    return subjectOf(kind, {
      key: `n${at}`,
      base: kind.isOfCluster ? `${base}-${at}` : `n${at}`,
      namespace: r.chance(0.8) ? namespaces[0] : namespaces[1],
    });
  });
  const made = subjects.map((subject, at) => make(r, subject, subjects.slice(0, at)));
  const later = subjects.flatMap((subject, at) => (r.chance(0.15) ? adopt(r, subject, subjects.slice(at)) : []));
  return { namespaces, subjects, steps: [...namespaces.map(makeNamespace), ...made, ...later] };
}

const makeNamespace = (name) => send("POST", "/api/v1/namespaces", { metadata: { name } });

function make(r, subject, before) {
  const { kind, key, name, collection } = subject;
  const ownerReferences = Array.from({ length: r.pick([0, 1, 1, 1, 2]) }, () => reference(r, before));
  const metadata = { name, ownerReferences, ...(r.chance(0.25) && { finalizers: [held] }) };
  const step = send("POST", collection, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...kind.object(r) });
  return { ...step, save: { [`${key}uid`]: "metadata.uid" } };
}

/** Makes an object a dependent of one that came later, or of itself: cycles come so. */
function adopt(r, { path }, after) {
  return [send("PATCH", path, { metadata: { ownerReferences: [reference(r, after)] } }, "merge")];
}

/** Draws a reference to one of the subjects, right or wrong, or to nothing. */
function reference(r, others) {
  const block = r.pick([{}, { blockOwnerDeletion: true }, { blockOwnerDeletion: true }, { blockOwnerDeletion: false }]);
  if (others.length === 0 || r.chance(0.1)) {
    return { apiVersion: "v1", kind: r.pick(["ConfigMap", "Namespace"]), name: "absent", uid: nobody, ...block };
  }
  const { kind, key, name } = r.pick(others);
  const uid = r.chance(0.92) ? `$${key}uid` : nobody;
  return { apiVersion: kind.apiVersion, kind: kind.kind, name, uid, ...block };
}

/** Draws deletions and what comes between and after them. Controllers have their time at the end. */
export function drawEnd(r, { namespaces, subjects }) {
  const one = () => r.pick(subjects);
  const actions = [
    () => [erase(r, one())],
    () => [erase(r, one())],
    () => [erase(r, one())],
    () => [
      send(
        "PATCH",
        one().path,
        { metadata: { finalizers: r.pick([[], [held], ["orphan"], ["foregroundDeletion"]]) } },
        "merge",
      ),
    ],
    () => [
      send(
        "PATCH",
        one().path,
        { metadata: { ownerReferences: r.chance(0.5) ? [] : [reference(r, subjects)] } },
        "merge",
      ),
    ],
    () => [send("DELETE", `/api/v1/namespaces/${r.pick(namespaces)}`)],
    () => pauses(3),
  ];
  const steps = Array.from({ length: 2 + r.int(4) }, () => r.pick(actions)()).flat();
  return [...pauses(2), ...steps.map((step) => ({ ...step, quiet: true })), ...pauses(8)];
}

/** Takes all finalizers of the kind that nobody else takes away. */
export const release = ({ subjects }) => [
  ...subjects.map(({ path }) => ({ ...send("PATCH", path, { metadata: { finalizers: [] } }, "merge"), quiet: true })),
  ...pauses(20),
];

function erase(r, { path }) {
  const policy = r.pick([undefined, "Background", "Foreground", "Foreground", "Orphan"]);
  return send("DELETE", path, policy === undefined ? undefined : { propagationPolicy: policy });
}

/** Reads what remains of a graph. */
export function remains({ namespaces, subjects }, label) {
  return [
    ...subjects.map(({ key, path }) => ({ ...send("GET", path), label: `${label}: ${key}`, view: objectView })),
    ...namespaces.flatMap((name) => [
      { ...send("GET", `/api/v1/namespaces/${name}`), label: `${label}: namespace`, view: namespaceView },
      { ...send("GET", `/api/v1/namespaces/${name}/events`), label: `${label}: events`, view: eventView },
    ]),
  ];
}

const parsed = ({ body }) => JSON.parse(body.toString());

function objectView(answer) {
  const {
    kind,
    message,
    metadata: { name, finalizers, deletionTimestamp, ownerReferences = [] } = {},
  } = parsed(answer);
  const owners = ownerReferences.map(({ uid, ...owner }) => ({ ...owner, isNobody: uid === nobody }));
  return { kind, message, name, finalizers: finalizers?.toSorted(), isGoing: deletionTimestamp !== undefined, owners };
}

function namespaceView(answer) {
  const { kind, message, metadata: { finalizers, deletionTimestamp } = {}, spec, status } = parsed(answer);
  const conditions = status?.conditions?.map(({ lastTransitionTime: _, ...condition }) => condition);
  return {
    kind,
    message,
    finalizers,
    isGoing: deletionTimestamp !== undefined,
    spec,
    phase: status?.phase,
    conditions,
  };
}
