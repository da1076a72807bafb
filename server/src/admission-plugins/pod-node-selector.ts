import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  bareRefusal,
  isCoreWrite,
  namespacesResource,
  withNamespace,
} from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { forbidden } from "@gatehouse/envelopes/status";
import type { configV1alpha1 } from "@gatehouse/envelopes/types";
import { type NodeLabels, nodeLabelsProblem, parseNodeLabels } from "./node-labels.js";
import type { PluginParts } from "./plugin-parts.js";
import { podsResource } from "./pods.js";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";
/** The key in the configuration of the selector for namespaces that state none. */
const forAll = "clusterDefaultNodeSelector";

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "PodNodeSelectorConfiguration" };

type Parts = Pick<PluginParts, "objects" | "configuration">;

/** PodNodeSelector: pods run on the nodes that are for their namespace. */
export async function podNodeSelector({ objects, configuration }: Parts): Promise<AdmissionPlugin> {
  const selectors = await readSelectors(configuration);
  const namespaces = objects.view(
    namespacesResource,
    (namespace) => metaOf(namespace).annotations?.[annotation] ?? selectors.get(forAll) ?? "",
  );

  const demandedOf = (attributes: AdmissionAttributes, text: string): NodeLabels => {
    const problem = nodeLabelsProblem(text);
    if (problem !== undefined) {
      throw bareRefusal(problem);
    }
    const demanded = parseNodeLabels(text);
    const own = objectAt(attributes.object, "spec", "nodeSelector");
    if (Object.entries(demanded).some(([key, value]) => Object.hasOwn(own, key) && own[key] !== value)) {
      throw refusalOf(attributes, "pod node label selector conflicts with its namespace node label selector");
    }
    return demanded;
  };

  const checkAllowed = (attributes: AdmissionAttributes): void => {
    const allowed = parseNodeLabels(selectors.get(attributes.namespace) ?? "");
    const own = Object.entries(objectAt(attributes.object, "spec", "nodeSelector"));
    if (Object.keys(allowed).length > 0 && !own.every(([key, value]) => allowed[key] === value)) {
      throw refusalOf(attributes, "pod node label selector labels conflict with its namespace whitelist");
    }
  };

  return {
    name: "PodNodeSelector",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE"]),
    admit: (attributes) =>
      withNamespace(namespaces, attributes, (text) => {
        const demanded = demandedOf(attributes, text);
        if (Object.keys(demanded).length > 0) {
          attributes.mutate((pod) => {
            const spec = ownObject(pod, "spec");
            spec["nodeSelector"] = { ...demanded, ...objectAt(spec, "nodeSelector") };
            return undefined;
          });
        }
        checkAllowed(attributes);
      }),
    validate: (attributes) =>
      withNamespace(namespaces, attributes, (text) => {
        demandedOf(attributes, text);
        checkAllowed(attributes);
      }),
  };
}

function refusalOf({ object = {} }: AdmissionAttributes, detail: string): Error {
  return forbidden(podsResource, metaOf(object).name ?? "", detail);
}

async function readSelectors(document: ConfigDocument | undefined): Promise<ReadonlyMap<string, string>> {
  if (document === undefined) {
    return new Map();
  }
  const content = await checkConfigDocument<configV1alpha1.PodNodeSelectorConfiguration>(
    { ...document, content: withKind(document.content) },
    [kind],
  );
  const selectors = new Map(Object.entries(content.podNodeSelectorPluginConfig ?? {}));
  const problems = [...selectors].flatMap(([namespace, text]) => {
    const problem = nodeLabelsProblem(text);
    return problem === undefined ? [] : [problemAt(`podNodeSelectorPluginConfig.${namespace}`, problem)];
  });
  if (problems.length > 0) {
    throw new ConfigurationError(document.subject, problems);
  }
  return selectors;
}

/** Adds version and kind to the document: v1.29 reads it without. */
function withKind(content: JsonObject): JsonObject {
  const isPlain = content["apiVersion"] === undefined && content["kind"] === undefined;
  return isPlain ? { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, ...content } : content;
}
