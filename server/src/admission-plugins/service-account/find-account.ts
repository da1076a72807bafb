import { setTimeout as wait } from "node:timers/promises";
import type { AdmissionAttributes, ObjectView } from "@gatehouse/apiserver/admission";
import { refusal } from "@gatehouse/apiserver/admission";
import { goQuote, textAt } from "@gatehouse/envelopes";
import type { Account } from "./account.js";

/** Every namespace gets one of that name, a moment after it is made. */
export const defaultAccount = "default";

/** How often it is looked for, and how long is waited in between (as in v1.29: longer for some pods than for others). */
const defaultAttempts = 10;
const shortestWaitMs = 100;
const longestWaitMs = 200;

/** The account that a pod names. When it is not there, one that is sure to come is waited for. Rejects with 403. */
export function findAccount(
  accounts: ObjectView<Account>,
  attributes: AdmissionAttributes,
): Account | Promise<Account> {
  const name = textAt(attributes.object, "spec", "serviceAccountName");
  return accounts.get(attributes.namespace, name) ?? lookForAccount(accounts, attributes, name);
}

async function lookForAccount(
  accounts: ObjectView<Account>,
  attributes: AdmissionAttributes,
  name: string,
): Promise<Account> {
  const { namespace, signal } = attributes;
  const attempts = name === defaultAccount ? defaultAttempts : 1;
  const waitMs = shortestWaitMs + Math.random() * (longestWaitMs - shortestWaitMs);
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) {
      await wait(waitMs, undefined, { signal });
    }
    await accounts.catchUp(signal);
    const found = accounts.get(namespace, name);
    if (found !== undefined) {
      return found;
    }
  }
  throw refusal(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount ${goQuote(name)} not found`,
  );
}
