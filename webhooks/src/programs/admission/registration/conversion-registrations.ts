import type { JsonObject } from "@gatehouse/envelopes/json";
import { conversionPath } from "../../../toolkit/conversion/conversion-endpoints.js";
import type { Converter } from "../../../toolkit/conversion/converter.js";
import { clientConfigFor, type RegistrationOptions } from "../../../toolkit/registration/webhook-configurations.js";

/**
 * Returns the part of each definition of custom resources that sends the server to the converters, to be merged by
 * server-side apply into a definition that exists.
 */
export function conversionRegistrations(
  options: Omit<RegistrationOptions, "hooks" | "ownNamespace"> & { readonly converters: readonly Converter[] },
): JsonObject[] {
  const byDefinition = new Map(options.converters.map((way) => [`${way.resource}.${way.group}`, conversionPath(way)]));
  return [...byDefinition].map(([name, path]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: clientConfigFor(path, options) as unknown as JsonObject,
          conversionReviewVersions: ["v1"],
        },
      },
    },
  }));
}
