// Namespaces that end while there is something in them, and what may still be written there.
import { kindOf } from "./kinds.mjs";
import { anyStep, create, read, remove, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

/** Draws the subjects and the steps of a sequence. */
export function namespaceSteps(r, base) {
  const namespace = subjectOf(kindOf("Namespace"), { key: "n", base: `${base}-n` });
  const inside = ["ConfigMap", "Widget"].map((kind) =>
    subjectOf(kindOf(kind), { key: kind.toLowerCase(), base: "a", namespace: `${base}-n` }),
  );
  const subjects = [namespace, ...inside];
  const content = () => anyStep(r, r.pick(inside), subjects);
  const change = () => anyStep(r, namespace, []);
  const steps = [
    content,
    content,
    change,
    () => finalize(r, namespace),
    () => remove(r, namespace),
    () => plainRemove(namespace),
    () => create(r, namespace, []),
  ];
  return {
    subjects,
    steps: [
      ...create(r, namespace, []),
      ...inside.flatMap((one) => create(r, one, subjects)),
      ...Array.from({ length: 4 + r.int(8) }, () => r.pick(steps)()).flat(),
    ],
  };
}

const plainRemove = ({ path }) => [send("DELETE", path)];

function finalize(r, subject) {
  const { key, path, name } = subject;
  const finalizers = r.pick([[], [], ["kubernetes"], ["example.com/x"], ["bad"], ["kubernetes", "example.com/x"]]);
  const isLive = r.chance(0.6);
  const more = r.pick([{}, {}, { labels: { a: "b" } }, { finalizers: [] }]);
  const version = r.pick([undefined, undefined, "1"]);
  const body = (saved) => {
    const live = saved[`${key}live`];
    const object =
      isLive && live?.kind === "Namespace" ? live : { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const metadata = { ...object.metadata, ...more, ...(version !== undefined && { resourceVersion: version }) };
    return { ...object, metadata, spec: { finalizers } };
  };
  const query = r.chance(0.1) ? "?dryRun=All" : "";
  return [read(subject), send("PUT", `${path}/finalize${query}`, body)];
}
