import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  isCoreWrite,
  namespacesResource,
  type ObjectView,
  type SortOfWrite,
} from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import { notFound } from "@gatehouse/envelopes/status";
import { isFullyPrivileged, type ParsedPolicy, podSecurityPrefix, policyOf } from "@gatehouse/policies/pod-security";
import type { PluginParts } from "../plugin-parts.js";
import { containersOf, podsResource } from "../pods.js";
import { checkNamespace } from "./check-namespace.js";
import { checkPod, type PodChecks } from "./check-pod.js";
import { readPodSecuritySettings } from "./configuration.js";
import { warningsAboutPods } from "./existing-pods.js";
import { podSecurityMetrics } from "./metrics.js";
import { checkedPod, makesPods, templateOf } from "./workloads.js";

/** Subresources of pods whose objects are no pods, or change nothing that is checked. */
const otherSubresources: ReadonlySet<string> = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

type Parts = Pick<PluginParts, "objects" | "configuration" | "features" | "metrics">;

/** PodSecurity: pods keep to the level of the Pod Security Standards that the labels of their namespace name. */
export async function podSecurity({ objects, configuration, features, metrics }: Parts): Promise<AdmissionPlugin> {
  const settings = await readPodSecuritySettings(configuration);
  const { defaults, exemptUsers, exemptNamespaces, exemptRuntimeClasses } = settings;
  const options = { relaxedForUserNamespaces: features.enabled("UserNamespacesPodSecurityStandards") };
  const checks: PodChecks = { options, metrics: podSecurityMetrics(metrics) };
  const policies = objects.view(namespacesResource, (namespace) => policyOf(metaOf(namespace).labels ?? {}, defaults));
  const pods = objects.view(podsResource, (pod) => pod);

  /** Sets the audit annotation with the exemption of an object; undefined when it is not exempt. */
  const exemption = (attributes: AdmissionAttributes, runtimeClass = ""): string | undefined => {
    const reason = exemptNamespaces.has(attributes.namespace)
      ? "namespace"
      : exemptUsers.has(attributes.user.username)
        ? "user"
        : exemptRuntimeClasses.has(runtimeClass)
          ? "runtimeClass"
          : undefined;
    if (reason !== undefined) {
      attributes.annotate(`${podSecurityPrefix}exempt`, reason);
      checks.metrics.exempted(attributes);
    }
    return reason;
  };

  return {
    name: "PodSecurity",
    concerns: (write) => isChecked(write),
    validate(attributes) {
      const { resource, operation } = attributes;
      const object = attributes.object as JsonObject;
      if (isCore(attributes, namespacesResource.resource)) {
        const { policy, concernsPods } = checkNamespace(attributes, settings);
        return concernsPods ? warnAboutPods(attributes, policy.enforce) : undefined;
      }
      if (exemption(attributes) !== undefined) {
        return undefined;
      }
      const isPod = isCore(attributes, podsResource.resource);
      const check = (parsed: ParsedPolicy): void => {
        if (allowsAll(parsed, isPod)) {
          if (isPod) {
            attributes.annotate(`${podSecurityPrefix}enforce-policy`, "privileged:latest");
            checks.metrics.evaluated(attributes, "allow", parsed.policy.enforce, "enforce");
          }
          return;
        }
        if (isPod && operation === "UPDATE" && hasSameImages(object, attributes.oldObject as JsonObject)) {
          return;
        }
        const pod = isPod ? checkedPod(object) : templateOf(resource, object);
        if (pod !== undefined && exemption(attributes, pod.spec.runtimeClassName) === undefined) {
          checkPod(attributes, pod, parsed, checks, !isPod);
        }
      };
      return withPolicy(policies, attributes, check, () => checks.metrics.failed(attributes, true));
    },
  };

  async function warnAboutPods(
    attributes: AdmissionAttributes,
    enforce: ParsedPolicy["policy"]["enforce"],
  ): Promise<void> {
    const namespace = metaOf(attributes.object as JsonObject).name ?? "";
    const existing = { namespace, pods: pods.each(namespace), exemptRuntimeClasses, options };
    const { remainingMs } = attributes;
    for (const warning of await runSteps(attributes, warningsAboutPods(enforce, { ...existing, remainingMs }))) {
      attributes.warn(warning);
    }
  }
}

function isChecked(write: SortOfWrite): boolean {
  const { operation, resource, subresource } = write;
  if (operation !== "CREATE" && operation !== "UPDATE") {
    return false;
  }
  if (resource.group === "" && resource.resource === podsResource.resource) {
    return !otherSubresources.has(subresource);
  }
  return subresource === "" && (makesPods(resource) || isCoreWrite(write, "namespaces", ["CREATE", "UPDATE"]));
}

function isCore({ resource }: AdmissionAttributes, name: string): boolean {
  return resource.group === "" && resource.resource === name;
}

/** Reports whether a policy allows everything. The enforced level does not count for templates. */
function allowsAll({ policy, errors }: ParsedPolicy, isPod: boolean): boolean {
  return (
    errors.length === 0 &&
    (isPod ? isFullyPrivileged(policy) : policy.audit.level === "privileged" && policy.warn.level === "privileged")
  );
}

/**
 * Calls a step with the policy of the namespace. Where there is no namespace, calls `onMissing` and rejects with 404, where
 * v1.29 answers 500; NamespaceLifecycle normally refuses such writes first.
 */
function withPolicy(
  policies: ObjectView<ParsedPolicy>,
  { namespace, signal }: AdmissionAttributes,
  step: (policy: ParsedPolicy) => void,
  onMissing: () => void,
): MaybePromise<void> {
  const known = policies.get("", namespace);
  if (known !== undefined) {
    return step(known);
  }
  return policies.catchUp(signal).then(() => {
    const fresh = policies.get("", namespace);
    if (fresh === undefined) {
      onMissing();
      throw notFound(namespacesResource, namespace);
    }
    step(fresh);
  });
}

/**
 * Reports whether an update keeps the images: of the checked members, only images and ephemeral containers can change
 * in a stored pod.
 */
function hasSameImages(pod: JsonObject, old: JsonObject): boolean {
  return (
    (["containers", "initContainers"] as const).every((list) => {
      const [now, before] = [listAt(pod, "spec", list), listAt(old, "spec", list)];
      return (
        now.length === before.length &&
        now.every((container, index) => textAt(container, "image") === textAt(before[index], "image"))
      );
    }) &&
    containersOf(pod, ["ephemeralContainers"]).every((container) => {
      const before = containersOf(old, ["ephemeralContainers"]).find(({ name }) => name === container["name"]);
      return before !== undefined && before["image"] === container["image"];
    })
  );
}
