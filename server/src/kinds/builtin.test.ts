import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinGroups, builtinResources } from "./builtin-resources.js";
import { factsMissing, readFactTable } from "./fact-tables.test.support.js";

interface GroupVersionKindFact {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface ResourceFact extends GroupVersionKindFact {
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly storage: { readonly group: string; readonly version: string } | null;
  readonly storageVersionHash: string;
  readonly servedByDefault: boolean;
  readonly gate?: string;
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: GroupVersionKindFact;
    readonly verbs: readonly string[];
    readonly connect?: boolean;
    readonly path?: boolean;
  }[];
}

interface ResourceFacts {
  readonly groups: readonly {
    readonly name: string;
    readonly groupPriorityMinimum: number;
    readonly versions: readonly unknown[];
  }[];
  readonly resources: readonly ResourceFact[];
}

/**
 * Resources that v1.29 still stores in a beta form that it no longer serves, and whose announced hash is that of this
 * form. This server stores what it serves, and announces the same hash.
 */
const storedInBeta = new Set(["customresourcedefinitions", "endpointslices"]);

/**
 * Resources that v1.29 serves only with their feature. The fact table names the feature of each alpha or beta resource,
 * but v1.29 serves most of them without it, so that objects can be seen and removed after a feature was disabled.
 */
const gated = new Set(["clustertrustbundles"]);

test("the built-in resources are those of v1.29", { skip: factsMissing }, () => {
  const { resources } = readFactTable<ResourceFacts>("resources.json");
  const key = (item: { group: string; version: string; resource: string }) =>
    `${item.group}/${item.version}/${item.resource}`;
  const actual = new Map(builtinResources.map((definition) => [key(definition), definition]));
  assert.deepEqual([...actual.keys()].sort(), resources.map(key).sort());
  for (const fact of resources) {
    const definition = actual.get(key(fact));
    assert.ok(definition !== undefined);
    const { group, version, kind, namespaced } = definition;
    assert.deepEqual(
      {
        kind,
        namespaced,
        singular: definition.singular,
        shortNames: definition.shortNames,
        categories: definition.categories,
        verbs: definition.verbs,
        storageVersionHash: definition.storageVersionHash,
        servedByDefault: definition.servedByDefault,
        gate: definition.gate,
        storage: definition.storage && { group: definition.storage.group, version: definition.storage.version },
        subresources: definition.subresources.map((subresource) => ({
          name: subresource.name,
          kind: subresource.kind ?? { group, version, kind },
          verbs: subresource.verbs,
          connect: subresource.connect && { takesPath: subresource.connect.takesPath },
        })),
      },
      {
        kind: fact.kind,
        namespaced: fact.namespaced,
        singular: fact.singular,
        shortNames: fact.shortNames,
        categories: fact.categories,
        verbs: fact.verbs,
        storageVersionHash: fact.storageVersionHash,
        servedByDefault: fact.servedByDefault,
        gate: gated.has(fact.resource) ? fact.gate : undefined,
        storage: storedInBeta.has(fact.resource) ? { group, version } : (fact.storage ?? undefined),
        subresources: fact.subresources.map((subresource) => ({
          name: subresource.name,
          kind: subresource.kind,
          verbs: subresource.verbs,
          connect: subresource.connect === true ? { takesPath: subresource.path === true } : undefined,
        })),
      },
      key(fact),
    );
  }
});

test("the groups are those of v1.29, by priority and name", { skip: factsMissing }, () => {
  const { groups } = readFactTable<ResourceFacts>("resources.json");
  const sorted = groups.toSorted(
    (a, b) => b.groupPriorityMinimum - a.groupPriorityMinimum || (a.name < b.name ? -1 : 1),
  );
  assert.deepEqual(
    builtinGroups,
    sorted.map(({ name, groupPriorityMinimum, versions }) => ({ name, groupPriorityMinimum, versions })),
  );
});

test("keys are laid out as kube-apiserver lays them out", { skip: factsMissing }, () => {
  const { storagePrefixOverrides } = readFactTable<{
    readonly storagePrefixOverrides: Readonly<Record<string, string>>;
  }>("resources.json");
  const grouped = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);
  for (const { group, resource, storage } of builtinResources) {
    if (storage !== undefined) {
      const plain = grouped.has(group) ? `${group}/${resource}` : resource;
      const expected = storagePrefixOverrides[`${group}/${resource}`] ?? plain;
      assert.equal(storage.prefix, expected);
    }
  }
});

test("the labels for field selectors are those of v1.29", { skip: factsMissing }, () => {
  const facts = readFactTable<{
    readonly kinds: readonly (GroupVersionKindFact & {
      readonly fields: readonly string[];
      readonly aliases?: Readonly<Record<string, string>>;
    })[];
  }>("field-selectors.json");
  for (const definition of builtinResources) {
    const fact = facts.kinds.find(
      ({ group, version, kind }) =>
        group === definition.group && version === definition.version && kind === definition.kind,
    );
    const expected =
      fact === undefined
        ? ["metadata.name", "metadata.namespace"]
        : [...fact.fields, ...Object.keys(fact.aliases ?? {})];
    assert.deepEqual([...definition.fieldLabels.keys()].sort(), [...expected].sort(), definition.resource);
  }
});

test("every label stands for a selectable field, and versions that share storage have the same fields", () => {
  const byPrefix = new Map<string, readonly string[]>();
  for (const { fieldLabels, selectableFields, storage, resource } of builtinResources) {
    for (const field of fieldLabels.values()) {
      assert.ok(selectableFields.has(field), `${resource}: ${field}`);
    }
    if (storage !== undefined) {
      const fields = [...selectableFields.keys()];
      assert.deepEqual(byPrefix.get(storage.prefix) ?? fields, fields, resource);
      byPrefix.set(storage.prefix, fields);
    }
  }
});

test("no two resources share keys unless they are versions of one another", () => {
  const kinds = new Map<string, string>();
  for (const { kind, storage } of builtinResources) {
    if (storage !== undefined) {
      assert.equal(kinds.get(storage.prefix) ?? kind, kind);
      kinds.set(storage.prefix, kind);
    }
  }
});
