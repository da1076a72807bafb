import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { SchemaSource } from "../schema-source.js";

/** The kinds that each message is known as. */
export interface KindNames {
  /** Returns the kinds of a message by its IDL name; empty for a message that is no kind. */
  of(message: string): readonly GroupVersionKind[];
}

const metaPackage = "k8s.io.apimachinery.pkg.apis.meta.v1.";

/** Kinds of the meta group that belong to every group version; the others of that group belong to `v1` alone. */
const everywhere = new Set(["DeleteOptions", "WatchEvent"]);

/** Groups of the IDL whose kinds are no API objects: files, events and discovery. */
const otherGroups = new Set(["apidiscovery.k8s.io", "audit.k8s.io", "meta.k8s.io"]);

/** Kinds of the meta group that v1.29 registers in one more group version. */
const alsoIn: Readonly<Record<string, readonly GroupVersionKind[]>> = {
  Status: [{ group: "resource.k8s.io", version: "v1alpha2", kind: "Status" }],
};

/** Reads the kinds of a registry when first asked. */
export function kindNames(registry: SchemaSource): KindNames {
  let byMessage: Map<string, readonly GroupVersionKind[]> | undefined;
  return {
    of(message) {
      byMessage ??= collect(registry);
      return byMessage.get(message) ?? [];
    },
  };
}

function collect(registry: SchemaSource): Map<string, readonly GroupVersionKind[]> {
  const found = new Map<string, readonly GroupVersionKind[]>();
  // Files of configuration are JSON alone.
  const ofObjects = new Set(
    registry.kinds().flatMap((kind) => (kind.schema.hasProtobuf ? [`${kind.group}/${kind.version}`] : [])),
  );
  const groupVersions = registry
    .groupVersions()
    .filter(({ group, version }) => ofObjects.has(`${group}/${version}`) && !otherGroups.has(group))
    .sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
  for (const { group, version, kind, schema } of registry.kinds()) {
    const { name } = schema;
    if (!name.startsWith(metaPackage)) {
      found.set(name, [{ group, version, kind }]);
    } else if (everywhere.has(kind)) {
      found.set(
        name,
        groupVersions.map((gv) => ({ group: gv.group, version: gv.version, kind })),
      );
    } else {
      found.set(name, [{ group: "", version: "v1", kind }, ...(alsoIn[kind] ?? [])]);
    }
  }
  return found;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
