import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { authorizationModes } from "./authorization-modes.js";

const group = "Authorization";

/** The flags of authorization, named as kube-apiserver names them. */
export const authorizationFlags = {
  "authorization-mode": {
    type: "stringList",
    choices: authorizationModes,
    group,
    help: "Ordered list of authorizers. AlwaysAllow when neither this nor --authorization-config is given.",
  },
  "authorization-config": {
    type: "path",
    group,
    help: "`file` with an AuthorizationConfiguration, in place of the other flags of authorization. Needs the feature gate StructuredAuthorizationConfiguration.",
  },
  "authorization-policy-file": {
    type: "path",
    group,
    help: "`file` with a policy on each line, as JSON, for the mode ABAC.",
  },
  "authorization-webhook-config-file": {
    type: "path",
    group,
    help: "Kubeconfig `file` of a webhook that is asked what clients may do (SubjectAccessReview), for the mode Webhook.",
  },
  "authorization-webhook-version": {
    type: "string",
    group,
    help: "The `version` of SubjectAccessReview that is sent to the webhook: v1, or v1beta1, which is the default.",
  },
  "authorization-webhook-cache-authorized-ttl": {
    type: "duration",
    min: 0,
    group,
    help: "How long it is remembered that the webhook has allowed something; 5m0s by default.",
  },
  "authorization-webhook-cache-unauthorized-ttl": {
    type: "duration",
    min: 0,
    group,
    help: "How long it is remembered that the webhook has not allowed something; 30s by default.",
  },
} as const satisfies FlagTable;

/** The values of `authorizationFlags`. */
export type AuthorizationFlagValues = FlagValues<typeof authorizationFlags>;
