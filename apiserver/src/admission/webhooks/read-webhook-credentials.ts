import { isAbsolute } from "node:path";
import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type ClientIdentity, parseKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import { WebhookCredentials } from "./webhook-credentials.js";

const kinds = [
  { group: "apiserver.config.k8s.io", version: "v1", kind: "WebhookAdmissionConfiguration" },
  { group: "apiserver.config.k8s.io", version: "v1alpha1", kind: "WebhookAdmission" },
];

/** Reads the credentials for webhooks that the configuration of a plugin names. Rejects with ConfigurationError. */
export async function readWebhookCredentials(document: ConfigDocument | undefined): Promise<WebhookCredentials> {
  if (document === undefined) {
    return new WebhookCredentials(new Map());
  }
  const configuration = await checkConfigDocument<apiserverconfigV1.WebhookAdmissionConfiguration>(document, kinds);
  const path = configuration.kubeConfigFile;
  if (!isAbsolute(path)) {
    const problem = `${JSON.stringify(path)} must be an absolute path`;
    throw new ConfigurationError(document.subject, [problemAt("kubeConfigFile", problem)]);
  }
  const { content } = await readConfigFile(path);
  const users = new Map<string, ClientIdentity>();
  for (const user of listAt(content, "users")) {
    users.set(textAt(user, "name"), await identityOf(user, path));
  }
  return new WebhookCredentials(users, users.get(currentUser(content)));
}

/** Reads a user as the only one of a kubeconfig, since the checks are made for whole kubeconfigs. */
async function identityOf(user: JsonValue, path: string): Promise<ClientIdentity> {
  const name = textAt(user, "name");
  const kubeconfig = {
    "current-context": "webhook",
    contexts: [{ name: "webhook", context: { cluster: "webhook", user: name } }],
    clusters: [{ name: "webhook", cluster: { server: "https://webhook" } }],
    users: [user],
  };
  const {
    server: _server,
    insecureSkipTlsVerify: _verify,
    ...identity
  } = await parseKubeconfig(JSON.stringify(kubeconfig), { path });
  return identity;
}

function currentUser(content: JsonObject): string {
  const name = textAt(content, "current-context");
  const context = name === "" ? undefined : listAt(content, "contexts").find((item) => textAt(item, "name") === name);
  return textAt(context, "context", "user");
}
