import { decodeJson } from "@gatehouse/envelopes/codec";
import type { Defaulting } from "@gatehouse/envelopes/defaults";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { type GroupVersionResource, groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { isSameKind, type ObjectInterfaces, type ServedForm } from "../admission/object-interfaces.js";
import { fillToStorableSize } from "../forms/storable-size.js";
import { withTypeMeta } from "../forms/type-meta.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { RegistrySource } from "../registry/live-registry.js";
import type { ServedResource } from "../registry/served-resource.js";
import { type ExpectedKind, expectedKind } from "../verbs/body/expected-kind.js";
import { typeMetaProblem } from "../verbs/body/stated-kind.js";

/** The parts that the object interfaces are made from. */
export interface ObjectInterfacesOptions {
  readonly liveRegistry: RegistrySource;
  readonly defaulting: Defaulting;
  readonly features: FeatureGates;
}

/** Returns the access of admission plugins to the versions in which this server serves objects. */
export function objectInterfaces({ liveRegistry, defaulting, features }: ObjectInterfacesOptions): ObjectInterfaces {
  const servedAt = ({ group, version, resource }: GroupVersionResource): ServedResource | undefined =>
    liveRegistry.current.find(group, version, resource);

  /** Returns the resource itself where the form is its kind; undefined where the kind is that of a subresource. */
  function servedAs({ resource, kind }: ServedForm): ServedResource | undefined {
    const served = servedAt(resource);
    return served !== undefined && isSameKind(served, kind) ? served : undefined;
  }

  function kindOf(form: ServedForm): ExpectedKind {
    const { group, version, kind } = form.kind;
    return servedAs(form) ?? expectedKind(group, version, kind);
  }

  return {
    get served() {
      return liveRegistry.current;
    },
    equivalents(resource, subresource) {
      const served = servedAt(resource);
      return served === undefined
        ? []
        : liveRegistry.current.all().flatMap((other) => formOf(served, other, subresource));
    },
    convert(object, from, to, signal) {
      return isSameKind(from.kind, to.kind)
        ? object
        : convertBetween(servedAt(from.resource), servedAt(to.resource), object, signal);
    },
    written(object, form) {
      const served = servedAs(form);
      return served === undefined ? decodedAs(kindOf(form), object) : served.form.present(object);
    },
    read(document, form) {
      const kind = kindOf(form);
      const problem = typeMetaProblem(document, kind);
      if (problem !== undefined) {
        readAsWhatItSays(document);
        throw new DecodeError(problem);
      }
      return decodedAs(kind, document as JsonValue);
    },
    fillDefaults(object, form) {
      return fillToStorableSize(() => defaulting(kindOf(form).schema, object, features));
    },
  };
}

/** Decodes an object as a kind, which its type metadata name afterwards. */
function decodedAs(kind: ExpectedKind, document: JsonValue): JsonObject {
  return withTypeMeta(decodeJson(kind.schema, document).object, kind);
}

/** Decodes a document as the kind that it names, if that is built in, so that the errors of that kind come first. */
function readAsWhatItSays(document: JsonValue): void {
  const { group, version } = groupVersionOf(textAt(document, "apiVersion"));
  const said = kindSchema(group, version, textAt(document, "kind"));
  if (said !== undefined) {
    decodeJson(said.schema, document);
  }
}

/** Returns `other` as a form of the resource `served`; empty if it is none, or lacks the subresource. */
function formOf(served: ServedResource, other: ServedResource, subresource: string): readonly ServedForm[] {
  if (!isSameResource(served, other)) {
    return [];
  }
  if (subresource === "") {
    return [{ resource: other, kind: other }];
  }
  const found = other.definition.subresources.find(({ name }) => name === subresource);
  return found === undefined ? [] : [{ resource: other, kind: found.kind ?? other }];
}

/** Reports whether two are versions of one resource: what is stored in one place, or has one name and is not stored. */
function isSameResource(one: ServedResource, other: ServedResource): boolean {
  return one.isStored
    ? other.isStored && other.storage === one.storage
    : !other.isStored && other.group === one.group && other.resource === one.resource;
}

async function convertBetween(
  from: ServedResource | undefined,
  to: ServedResource | undefined,
  object: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (from === undefined || to === undefined) {
    throw new Error("a form is no longer served");
  }
  return from.form.convert(object, to.form, { signal });
}
