import { textAt } from "@gatehouse/envelopes/json";
import type { AdmissionPlugin } from "../admission/admission-plugin.js";
import type { AdmissionAttributes } from "../admission/attributes.js";
import type { AdmissionPluginDefinition } from "../admission/plugin-definition.js";
import { mutatingAdmissionWebhook } from "../admission/plugins/mutating-admission-webhook.js";
import { namespaceLifecycle } from "../admission/plugins/namespace-lifecycle.js";
import { validatingAdmissionPolicy } from "../admission/plugins/validating-admission-policy.js";
import { validatingAdmissionWebhook } from "../admission/plugins/validating-admission-webhook.js";
import { policiesResource } from "../admission/policies/policy-source.js";
import { refusal } from "../admission/refusal.js";
import type { MaybePromise } from "../request/handler.js";
import type { ServiceAddresses } from "../review-webhooks/service-addresses.js";
import type { PluginConfiguration } from "../server/open-admission.js";
import type { AdmissionParts } from "../server/server-parts.js";
import { arrivesInTime, type FrontObjects } from "./front-objects.js";

/** The parts of a plugin of an extension API server. Its `objects` include those of the API server in front. */
export type ExtensionPluginParts = AdmissionParts & PluginConfiguration;

/** A plugin of an extension API server. */
export type ExtensionPlugin = AdmissionPluginDefinition<ExtensionPluginParts>;

type GenericPlugin = AdmissionPluginDefinition<ExtensionPluginParts & { readonly serviceAddresses: ServiceAddresses }>;

/** The webhooks of a write do not share its time, and are asked however often they have failed, as in v1.29. */
const settings = { webhookDeadlineBudget: false, webhookBreaker: false };

/** The plugins of every extension API server of v1.29, in their order. They apply the rules of the API server in front. */
const genericPlugins: readonly GenericPlugin[] = [
  { name: "NamespaceLifecycle", isOnByDefault: true, make: namespaceLifecycle },
  {
    name: "MutatingAdmissionWebhook",
    isOnByDefault: true,
    make: (parts) => mutatingAdmissionWebhook({ ...parts, settings, failedOpen: () => {} }),
  },
  { name: "ValidatingAdmissionPolicy", isOnByDefault: true, make: validatingAdmissionPolicy },
  {
    name: "ValidatingAdmissionWebhook",
    isOnByDefault: true,
    make: (parts) => validatingAdmissionWebhook({ ...parts, settings, failedOpen: () => {} }),
  },
];

/** Returns the address of a service as pods find it: by its name in DNS, as extension API servers of v1.29 do. */
const addressesInDns: ServiceAddresses = async (namespace, name, port) => [{ host: `${name}.${namespace}.svc`, port }];

/**
 * Returns the plugins of an extension API server: those of v1.29, then its own. All read the objects of the API server in
 * front, which those of v1.29 need.
 */
export function extensionPlugins(own: readonly ExtensionPlugin[]): readonly ExtensionPlugin[] {
  const generic = genericPlugins.map(
    ({ make, ...plugin }): ExtensionPlugin => ({
      ...plugin,
      make: make && ((parts) => make({ ...parts, serviceAddresses: addressesInDns })),
    }),
  );
  return [...generic, ...own];
}

/** Lists the names of plugins that need the objects of an API server in front. */
export function namesInNeedOfFront(plugins: readonly ExtensionPlugin[]): readonly string[] {
  return plugins.map(({ name }) => name).filter((name) => genericPlugins.some((generic) => generic.name === name));
}

/** Returns the plugins so that they read the objects in front, and wait for them when they have not arrived yet. */
export function withFrontObjects(plugins: readonly ExtensionPlugin[], front: FrontObjects): readonly ExtensionPlugin[] {
  return plugins.map(({ make, ...plugin }) => ({
    ...plugin,
    make:
      make &&
      (async (parts) => {
        const made = await make({ ...parts, objects: front, objectSource: front });
        return whenSynced(made, front);
      }),
  }));
}

/** Learns the kinds that policies in front take their parameters from, so that they are known when they are applied. */
export function learnParamKinds(front: FrontObjects): void {
  front.tell(policiesResource, {
    present(_namespace, _name, policy) {
      const apiVersion = textAt(policy, "spec", "paramKind", "apiVersion");
      if (apiVersion !== "") {
        front.learn(apiVersion);
      }
    },
    gone() {},
  });
}

/** Returns a plugin that refuses writes until the objects in front are known, for which it waits some seconds. */
function whenSynced(plugin: AdmissionPlugin, front: FrontObjects): AdmissionPlugin {
  const { admit, validate } = plugin;
  const guarded =
    (phase: NonNullable<AdmissionPlugin["admit"]>) =>
    (attributes: AdmissionAttributes): MaybePromise<void> => {
      const syncing = front.synced();
      return syncing === undefined ? phase.call(plugin, attributes) : later(syncing, phase, attributes);
    };
  const later = async (
    syncing: Promise<unknown>,
    phase: NonNullable<AdmissionPlugin["admit"]>,
    attributes: AdmissionAttributes,
  ): Promise<void> => {
    if (!(await arrivesInTime(syncing, attributes.signal))) {
      throw refusal(attributes, "not yet ready to handle request");
    }
    await phase.call(plugin, attributes);
  };
  return { ...plugin, ...(admit && { admit: guarded(admit) }), ...(validate && { validate: guarded(validate) }) };
}
