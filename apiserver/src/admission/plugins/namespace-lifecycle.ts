import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { AdmissionPlugin } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import { afterFreshRead, type NamespaceFacts, namespacesResource, namespaceView } from "../namespaces.js";
import type { ObjectAccess } from "../object-access.js";
import { RecentNames } from "../recent-names.js";
import { refusal } from "../refusal.js";

/** The parts that NamespaceLifecycle is made of. */
export interface NamespaceLifecycleParts {
  readonly objects: ObjectAccess;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Namespaces that a cluster cannot do without. */
const immortalNamespaces: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Milliseconds after the deletion of a namespace for which the cache is not trusted to know of it (as in v1.29). */
const distrustMs = 30_000;

/**
 * NamespaceLifecycle: objects are written only into namespaces that exist and created only in those that are not being
 * deleted; a few namespaces cannot be deleted at all.
 */
export function namespaceLifecycle({ objects, now }: NamespaceLifecycleParts): AdmissionPlugin {
  const namespaces = namespaceView(objects);
  const deletedLately = new RecentNames(distrustMs, now);
  return {
    name: "NamespaceLifecycle",
    concerns: ({ operation }) => operation !== "CONNECT",
    admit(attributes) {
      const { operation, resource, namespace } = attributes;
      if (resource.group === "" && resource.resource === "namespaces") {
        if (operation === "DELETE") {
          const name = deletedName(attributes);
          refuseImmortal(name);
          deletedLately.add(name);
        }
        return;
      }
      if (namespace === "" || operation === "DELETE" || isAccessReview(attributes)) {
        return;
      }
      const known = namespaces.get("", namespace);
      if (known === undefined) {
        return afterFreshRead(namespaces, attributes, (fresh) => refuseIfTerminating(attributes, fresh));
      }
      if (operation === "UPDATE" || known.isTerminating) {
        return refuseIfTerminating(attributes, known);
      }
      return deletedLately.has(namespace)
        ? afterFreshRead(namespaces, attributes, (fresh) => refuseIfTerminating(attributes, fresh))
        : undefined;
    },
  };
}

function deletedName({ oldObject, name }: AdmissionAttributes): string {
  return (oldObject === undefined ? undefined : metaOf(oldObject).name) ?? name;
}

function refuseImmortal(name: string): void {
  if (immortalNamespaces.has(name)) {
    throw forbidden(namespacesResource, name, "this namespace may not be deleted");
  }
}

/**
 * Reports whether the write is an access review. Its answer must not depend on whether the namespace exists: that would
 * disclose it.
 */
function isAccessReview({ resource }: AdmissionAttributes): boolean {
  return resource.group === "authorization.k8s.io" && resource.resource === "localsubjectaccessreviews";
}

function refuseIfTerminating(attributes: AdmissionAttributes, { isTerminating }: NamespaceFacts): void {
  if (attributes.operation !== "CREATE" || !isTerminating) {
    return;
  }
  const { namespace } = attributes;
  const { status } = refusal(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  throw new StatusError(403, "Forbidden", status.message ?? "", { ...status.details, causes: [cause] });
}
