// Definitions of custom kinds that change and end while there are objects of them, and names that are taken.
import { definition, version } from "./definitions.mjs";
import { anyStep, create, pause, read, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

const apiVersion = "apiextensions.k8s.io/v1";
const integer = { type: "integer" };
const text = { type: "string" };

/** Draws the subjects and the steps of a sequence. Controllers have their time after every change of a definition. */
export function definitionSteps(r, base) {
  const group = `${base}.example.com`;
  const first = definition(group, "Thing", [
    version("v1", { replicas: integer }),
    version("v2", { text }, { served: r.chance(0.7) }),
  ]);
  const second = definition(group, "Other", [version("v1", { text })]);
  if (r.chance(0.5))
    Object.assign(
      second.spec.names,
      r.pick([{ kind: "Thing" }, { singular: "thing" }, { shortNames: ["things"] }, { listKind: "ThingList" }]),
    );
  const subjects = [first, second].map((body, at) => definitionSubject(body, `d${at}`));
  const object = subjectOf(thing(group, r.pick(["v1", "v1", "v2"])), { key: "o", base: "a", namespace: base });
  const steps = [
    ...make(first, subjects[0]),
    ...create(r, object, []),
    ...Array.from({ length: 3 + r.int(4) }, () =>
      r.pick([
        () => make(second, subjects[1]),
        () => make(first, subjects[0]),
        () => end(r, subjects),
        () => end(r, subjects),
        () => change(r, subjects),
        () => change(r, subjects),
        () => anyStep(r, object, []),
        () => anyStep(r, object, []),
        () => create(r, object, []),
      ])(),
    ).flat(),
    pause,
  ];
  // Watches cannot begin before the definition was there.
  return { subjects, steps: [...steps, send("GET", object.path)] };
}

const thing = (group, version) => ({
  plural: "things",
  kind: "Thing",
  apiVersion: `${group}/${version}`,
  object: (r) => ({ spec: { replicas: r.int(3), text: "a" } }),
  changes: [(r) => ({ spec: { replicas: r.pick([1, 2, "x"]) } }), (r) => ({ spec: { text: r.pick(["b", "c"]) } })],
});

function definitionSubject(body, key) {
  const kind = {
    plural: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    apiVersion,
    isOfCluster: true,
    named: () => body.metadata.name,
    object: () => ({ spec: body.spec }),
  };
  return subjectOf(kind, { key, base: body.metadata.name });
}

const make = (body, { collection }) => [send("POST", collection, body), pause];

function end(r, subjects) {
  const { path } = r.pick(subjects);
  const options = r.pick([
    undefined,
    undefined,
    { propagationPolicy: "Foreground" },
    { propagationPolicy: "Orphan" },
    { gracePeriodSeconds: 0 },
  ]);
  return [send("DELETE", path, options), pause];
}

function change(r, subjects) {
  const subject = r.pick(subjects);
  const { key, path } = subject;
  const edit = r.pick([
    (spec) => ({ ...spec, versions: spec.versions?.map((one) => ({ ...one, storage: !one.storage })) }),
    (spec) => ({ ...spec, versions: spec.versions?.map((one) => ({ ...one, served: one.name === "v2" })) }),
    (spec) => ({ ...spec, versions: spec.versions?.filter(({ storage }) => storage) }),
    (spec) => ({ ...spec, versions: [...(spec.versions ?? []), version("v3", {}, { storage: false })] }),
    (spec) => ({ ...spec, names: { ...spec.names, kind: "Renamed", listKind: "RenamedList" } }),
    (spec) => ({ ...spec, names: { ...spec.names, shortNames: ["th"], categories: ["all"] } }),
    (spec) => ({ ...spec, names: { ...spec.names, plural: "others" } }),
    (spec) => ({ ...spec, scope: "Cluster" }),
    (spec) => ({ ...spec, group: "other.example.com" }),
  ]);
  const status = r.chance(0.2)
    ? r.pick([
        { storedVersions: ["v1"] },
        { storedVersions: ["v2"] },
        { storedVersions: [] },
        { acceptedNames: { plural: "x", kind: "X" } },
      ])
    : undefined;
  const finalizers = r.chance(0.2) ? r.pick([[], ["example.com/one"]]) : undefined;
  const body = ({ [`${key}live`]: live = {} }) => ({
    ...live,
    metadata: { ...live.metadata, ...(finalizers !== undefined && { finalizers }) },
    ...(live.spec !== undefined && status === undefined && { spec: edit(live.spec) }),
    ...(status !== undefined && { status: { ...live.status, ...status } }),
  });
  return [read(subject), send("PUT", status === undefined ? path : `${path}/status`, body), pause];
}
