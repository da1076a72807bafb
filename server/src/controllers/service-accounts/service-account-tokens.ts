import { serviceAccountUsername } from "@gatehouse/apiserver/authentication";
import { type Controller, type ControllerOptions, type ObservedObject, reconcile } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { legacyClaims } from "../../service-accounts/legacy-tokens.js";
import type { TokenSigner } from "../../service-accounts/token-signer.js";
import { secrets, serviceAccounts } from "../core-resources.js";

const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";

/** The options of the token controller. */
export interface ServiceAccountTokensOptions extends ControllerOptions {
  /** Signs as the issuer of tokens that are kept in secrets. */
  readonly signer: TokenSigner;
  /** The authorities by which clients inside the cluster verify this server, as PEM. */
  readonly rootCa: string;
}

/**
 * Fills secrets of the type for tokens of service accounts: with a token that does not expire, the authority and the
 * namespace. They go when their account does, and the account forgets those that are gone.
 */
export function serviceAccountTokens(options: ServiceAccountTokensOptions): Controller {
  const work = new TokenSecrets(options);
  return {
    name: "serviceaccount-token-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 5,
        sources: [
          { resource: secrets, keyOf: (object, event) => keyOfSecret(object, event === "DELETED") },
          {
            resource: serviceAccounts,
            // A secret that came before its account is deleted, and not filled any more.
            keyOf: ({ namespace, name }, event) => (event === "DELETED" ? `account/${namespace}/${name}` : undefined),
          },
        ],
        async work(key) {
          const [what, namespace = "", name = "", account = "", uid = ""] = key.split("/");
          await (what === "account"
            ? work.account(namespace, name)
            : what === "secret"
              ? work.secret(namespace, name)
              : work.gone(namespace, name, { name: account, uid }));
          return undefined;
        },
      }),
  };
}

/** Returns the key to work on for a secret; undefined for one without a token, which is not parsed. */
function keyOfSecret({ namespace, name, entry }: ObservedObject, isGone: boolean): string | undefined {
  if (!entry.bytes.includes(tokenType)) {
    return undefined;
  }
  const secret = entry.object();
  const account = accountOf(secret);
  if (account === "") {
    return undefined;
  }
  return isGone ? `gone/${namespace}/${name}/${account}/${accountUidOf(secret)}` : `secret/${namespace}/${name}`;
}

/** Returns the account that a secret is for; empty for secrets of other types. */
function accountOf(secret: JsonObject): string {
  return textAt(secret, "type") === tokenType ? textAt(secret, "metadata", "annotations", nameAnnotation) : "";
}

/** Returns the uid of the account that a secret is for; empty for an account of any. */
function accountUidOf(secret: JsonObject): string {
  return textAt(secret, "metadata", "annotations", uidAnnotation);
}

class TokenSecrets {
  readonly #options: ServiceAccountTokensOptions;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
  }

  /** Handles a deleted account: its secrets go, but for those of another account which has come in its place. */
  async account(namespace: string, name: string): Promise<void> {
    for (const { entry, name: secretName } of await this.#options.client.list(secrets, namespace)) {
      if (entry.bytes.includes(tokenType) && accountOf(entry.object()) === name) {
        await this.secret(namespace, secretName);
      }
    }
  }

  async secret(namespace: string, name: string): Promise<void> {
    const { client } = this.#options;
    const secret = await client.get(secrets, namespace, name);
    const accountName = secret === undefined ? "" : accountOf(secret);
    if (secret === undefined || accountName === "") {
      return;
    }
    const account = await client.get(serviceAccounts, namespace, accountName);
    const wanted = accountUidOf(secret);
    const uid = textAt(account, "metadata", "uid");
    if (account === undefined || (wanted !== "" && wanted !== uid)) {
      await client.delete(secrets, namespace, name, { preconditions: { uid: metaOf(secret).uid ?? "" } });
      return;
    }
    if (this.#lacks(secret)) {
      await this.#fill(secret, { name: accountName, uid });
    }
  }

  /**
   * Handles a deleted secret: removes the reference of its account, but not that of another account which has come in its
   * place.
   */
  async gone(namespace: string, name: string, account: { readonly name: string; readonly uid: string }): Promise<void> {
    const { client } = this.#options;
    const found = await client.get(serviceAccounts, namespace, account.name);
    const refers = (object: JsonObject): boolean =>
      (account.uid === "" || account.uid === metaOf(object).uid) &&
      listAt(object, "secrets").some((reference) => textAt(reference, "name") === name);
    if (found === undefined || !refers(found) || (await client.get(secrets, namespace, name)) !== undefined) {
      return;
    }
    await client.update(serviceAccounts, { namespace, name: account.name }, (object) => {
      if (!refers(object)) {
        return undefined;
      }
      const { secrets: _, ...rest } = object;
      const kept = listAt(object, "secrets").filter((reference) => textAt(reference, "name") !== name);
      // An empty list would still be somebody's field.
      return kept.length === 0 ? rest : { ...rest, secrets: kept };
    });
  }

  #lacks(secret: JsonObject): boolean {
    const data = objectAt(secret, "data");
    return data["ca.crt"] !== this.#authority || textAt(data, "namespace") === "" || textAt(data, "token") === "";
  }

  get #authority(): string {
    return Buffer.from(this.#options.rootCa).toString("base64");
  }

  async #fill(secret: JsonObject, account: { readonly name: string; readonly uid: string }): Promise<void> {
    const { client, signer } = this.#options;
    const { namespace = "", name = "" } = metaOf(secret);
    const token = await signer.sign({
      ...legacyClaims(namespace, name, account),
      sub: serviceAccountUsername(namespace, account.name),
    });
    await client.update(secrets, { namespace, name }, (stored) => {
      if (!this.#lacks(stored) || accountOf(stored) !== account.name) {
        return undefined;
      }
      const data = objectAt(stored, "data");
      const held = textAt(data, "token");
      stored["data"] = {
        ...data,
        "ca.crt": this.#authority,
        namespace: textAt(data, "namespace") || Buffer.from(namespace).toString("base64"),
        token: held === "" ? Buffer.from(token).toString("base64") : held,
      };
      const meta = metaOf(stored);
      meta.annotations = { ...meta.annotations, [nameAnnotation]: account.name, [uidAnnotation]: account.uid };
      return stored;
    });
  }
}
