import type { Controller, ControllerOptions } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { configMaps } from "../core-resources.js";
import { keepInEveryNamespace } from "./per-namespace-object.js";

const name = "kube-root-ca.crt";
const descriptionAnnotation = "kubernetes.io/description";
const description =
  "Certificate authorities that workloads trust when they connect to the API server from inside the cluster, by the " +
  "address or the name of the kubernetes Service. Nothing else should rely on them.";

/** Keeps the certificate authority of the API server (PEM) in every active namespace, where pods find it. */
export function rootCaPublisher(options: ControllerOptions & { readonly rootCa: string }): Controller {
  const { rootCa } = options;
  return {
    name: "root-ca-certificate-publisher-controller",
    run: (signal) =>
      keepInEveryNamespace({
        ...options,
        signal,
        resource: configMaps,
        name,
        make: (namespace) => ({
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: { name, namespace, annotations: { [descriptionAnnotation]: description } },
          data: { "ca.crt": rootCa },
        }),
        correct: (configMap) => correct(configMap, rootCa),
      }),
  };
}

function correct(configMap: JsonObject, rootCa: string): JsonObject | undefined {
  const data = objectAt(configMap, "data");
  const described = textAt(configMap, "metadata", "annotations", descriptionAnnotation) !== "";
  if (described && Object.keys(data).length === 1 && data["ca.crt"] === rootCa) {
    return undefined;
  }
  const meta = metaOf(configMap);
  meta.annotations = { ...meta.annotations, [descriptionAnnotation]: description };
  configMap["data"] = { "ca.crt": rootCa };
  return configMap;
}
