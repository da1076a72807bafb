import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  bareRefusal,
  isCoreWrite,
  type ObjectView,
  refusal,
} from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import { booleanAt, isSet, type JsonObject, listAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "../plugin-parts.js";
import { namesSecrets } from "../pod-references.js";
import { isMirrorPod } from "../pods.js";
import { type Account, accountOf } from "./account.js";
import { defaultAccount, findAccount } from "./find-account.js";
import { mountToken } from "./mount-token.js";
import { forbiddenSecret, forbiddenVariable } from "./secret-limits.js";

/**
 * ServiceAccount: pods run under an account that exists, get its token and its secrets for pulling images, and use no
 * secrets but those that the account lists, if it says so.
 */
export function serviceAccount({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const accounts = objects.view({ group: "", resource: "serviceaccounts" }, accountOf);
  return {
    name: "ServiceAccount",
    concerns: (write) =>
      isCoreWrite(write, "pods", ["CREATE"]) || isCoreWrite(write, "pods", ["UPDATE"], ["ephemeralcontainers"]),
    admit(attributes) {
      if (attributes.operation !== "CREATE") {
        return undefined;
      }
      if (isMirrorPod(attributes.object as JsonObject)) {
        return checkMirrorPod(attributes);
      }
      nameAccount(attributes);
      return withAccount(accounts, attributes, (account) => {
        attributes.mutate((pod) => setFromAccount(pod, account));
        checkSecrets(attributes, account);
      });
    },
    validate(attributes) {
      if (attributes.operation === "CREATE" && isMirrorPod(attributes.object as JsonObject)) {
        return checkMirrorPod(attributes);
      }
      if (textAt(attributes.object, "spec", "serviceAccountName") === "") {
        const { name = "" } = metaOf(attributes.object as JsonObject);
        throw refusal(attributes, `no service account specified for pod ${attributes.namespace}/${name}`);
      }
      return withAccount(accounts, attributes, (account) => checkSecrets(attributes, account));
    },
  };
}

function withAccount(
  accounts: ObjectView<Account>,
  attributes: AdmissionAttributes,
  step: (account: Account) => void,
): MaybePromise<void> {
  const found = findAccount(accounts, attributes);
  return found instanceof Promise ? found.then(step) : step(found);
}

function nameAccount(attributes: AdmissionAttributes): void {
  if (textAt(attributes.object, "spec", "serviceAccountName") === "") {
    attributes.mutate((pod) => {
      const spec = ownObject(pod, "spec");
      spec["serviceAccountName"] = defaultAccount;
      // Clients may read either.
      spec["serviceAccount"] = defaultAccount;
      return undefined;
    });
  }
}

function setFromAccount(pod: JsonObject, { automount = true, imagePullSecrets }: Account): undefined {
  const spec = ownObject(pod, "spec");
  const isWanted = isSet(spec, "automountServiceAccountToken")
    ? booleanAt(spec, "automountServiceAccountToken")
    : automount;
  if (isWanted) {
    mountToken(pod);
  }
  if (listAt(spec, "imagePullSecrets").length === 0 && imagePullSecrets.length > 0) {
    spec["imagePullSecrets"] = imagePullSecrets.map((name) => ({ name }));
  }
  return undefined;
}

function checkSecrets(attributes: AdmissionAttributes, account: Account): void {
  if (!account.limitsSecrets) {
    return;
  }
  const pod = attributes.object as JsonObject;
  const isNew = attributes.operation === "CREATE";
  const problem = isNew ? forbiddenSecret(pod, account) : forbiddenVariable(pod, "ephemeralContainers", account);
  if (problem !== undefined) {
    throw isNew ? refusal(attributes, problem) : bareRefusal(problem);
  }
}

/**
 * Refuses a mirror pod that asks for an account, a secret or a token: mirror pods are never changed, or their kubelet
 * would not recognize them.
 */
function checkMirrorPod(attributes: AdmissionAttributes): undefined {
  const pod = attributes.object as JsonObject;
  if (textAt(pod, "spec", "serviceAccountName") !== "") {
    throw refusal(attributes, "a mirror pod may not reference service accounts");
  }
  if (namesSecrets(pod)) {
    throw refusal(attributes, "a mirror pod may not reference secrets");
  }
  const projectsToken = listAt(pod, "spec", "volumes").some((volume) =>
    listAt(volume, "projected", "sources").some((source) => isSet(source, "serviceAccountToken")),
  );
  if (projectsToken) {
    throw refusal(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
  return undefined;
}
