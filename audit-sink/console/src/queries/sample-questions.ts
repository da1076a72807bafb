import { emptyView, type Filter, type View } from "../address/view.js";

/** A question that people have of an audit log, and the view that answers it. */
export interface SampleQuestion {
  readonly text: string;
  readonly view: View;
}

const rbacResources = ["roles", "rolebindings", "clusterroles", "clusterrolebindings"];
const changes = ["create", "update", "patch", "delete", "deletecollection"];

/** Questions to begin with. */
export const sampleQuestions: readonly SampleQuestion[] = [
  question("Who deleted something today?", "1d", { verb: ["delete", "deletecollection"] }),
  question("Who was refused, and what?", "1d", { code: ["401", "403"] }),
  question("Who changed roles and bindings?", "7d", {
    resource: rbacResources.map((resource) => `${resource}.rbac.authorization.k8s.io`),
    verb: changes,
  }),
];

function question(text: string, last: string, fields: Readonly<Record<string, readonly string[]>>): SampleQuestion {
  const filters = Object.entries(fields).flatMap(([field, values]) =>
    values.map((value): Filter => ({ field, value })),
  );
  return { text, view: { ...emptyView, filters, period: { last } } };
}
