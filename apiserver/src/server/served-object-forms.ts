import { copyJson, DecodeError, decodeJson } from "@gatehouse/envelopes/codec";
import type { Defaulting } from "@gatehouse/envelopes/defaults";
import { type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { type GroupVersionResource, kindSchema } from "@gatehouse/envelopes/schema";
import { isSameKind, type ObjectForms, type ServedForm } from "../admission/object-forms.js";
import { metaOf } from "../objects/object-meta.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { ServedResource } from "../registry/served-resource.js";
import { fillToStorableSize } from "../registry/storable-size.js";
import { type ExpectedKind, expectedKind, typeMetaProblem, withTypeMeta } from "../verbs/body/decode-body.js";
import { canonicalize } from "../verbs/writing/validate-and-canonicalize.js";

/** The parts that object forms are made from. */
export interface ObjectFormsOptions {
  readonly liveRegistry: RegistrySource;
  readonly defaulting: Defaulting;
  readonly features: FeatureGates;
}

/** Returns the forms in which this server serves objects, for admission plugins. */
export function objectForms({ liveRegistry, defaulting, features }: ObjectFormsOptions): ObjectForms {
  const servedAt = ({ group, version, resource }: GroupVersionResource): ServedResource | undefined =>
    liveRegistry.current.find(group, version, resource);

  /** Returns the resource itself where the form is its kind, else the kind of a subresource. */
  function kindOf({ resource, kind }: ServedForm): ServedResource | ExpectedKind {
    const served = servedAt(resource);
    return served !== undefined && isSameKind(served, kind)
      ? served
      : expectedKind(kind.group, kind.version, kind.kind);
  }

  return {
    get served() {
      return liveRegistry.current;
    },
    equivalents(resource, subresource) {
      const served = servedAt(resource);
      return served?.isStored === true
        ? liveRegistry.current.all().flatMap((other) => formOf(served, other, subresource))
        : [];
    },
    convert(object, from, to, signal) {
      return isSameKind(from.kind, to.kind)
        ? object
        : convertStored(servedAt(from.resource), servedAt(to.resource), object, signal);
    },
    written(object, form) {
      const kind = kindOf(form);
      if ("isUnstructured" in kind && kind.isUnstructured) {
        const copy = copyJson(object) as JsonObject;
        canonicalize(kind, copy);
        return withMetadataOf(object, copy);
      }
      return withTypeMeta(decodeJson(kind.schema, object).object, kind);
    },
    read(document, form) {
      const kind = kindOf(form);
      const problem = typeMetaProblem(document, kind);
      if (problem !== undefined) {
        readAsWhatItSays(document);
        throw new DecodeError(problem);
      }
      return withTypeMeta(decodeJson(kind.schema, document as JsonValue).object, kind);
    },
    fillDefaults(object, form) {
      return fillToStorableSize(() => defaulting(kindOf(form).schema, object, features));
    },
  };
}

/** Removes members of metadata that only decoding by a schema has added: custom resources are shown as they are. */
function withMetadataOf(source: JsonObject, object: JsonObject): JsonObject {
  const known = metaOf(source);
  const metadata = Object.entries(metaOf(object)).filter(
    ([name, value]) => value !== null && Object.hasOwn(known, name),
  );
  return { ...object, metadata: Object.fromEntries(metadata) };
}

/** Decodes a document as the kind that it names, if that is built in, so that the errors of that kind come first. */
function readAsWhatItSays(document: JsonValue): void {
  const [, group = "", version = ""] = /^(?:([^/]*)\/)?([^/]*)$/.exec(textAt(document, "apiVersion")) ?? [];
  const said = kindSchema(group, version, textAt(document, "kind"));
  if (said !== undefined) {
    decodeJson(said.schema, document);
  }
}

/** Returns `other` as a form of the resource `served`; empty if it is none, or lacks the subresource. */
function formOf(served: ServedResource, other: ServedResource, subresource: string): readonly ServedForm[] {
  if (!other.isStored || other.storage !== served.storage) {
    return [];
  }
  if (subresource === "") {
    return [{ resource: other, kind: other }];
  }
  const found = other.definition.subresources.find(({ name }) => name === subresource);
  return found === undefined ? [] : [{ resource: other, kind: found.kind ?? other }];
}

async function convertStored(
  from: ServedResource | undefined,
  to: ServedResource | undefined,
  object: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (from === undefined || to === undefined) {
    throw new Error("a form is no longer served");
  }
  const stored = await from.asStored(copyJson(object) as JsonObject, { signal });
  const read = await to.readStored(stored, signal);
  return read === undefined ? to.fromStorage(stored) : withMetadataOf(object, read);
}
