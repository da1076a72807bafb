import { setTimeout as wait } from "node:timers/promises";
import { type AdmissionAttributes, type ObjectView, refusal } from "@gatehouse/apiserver/admission";
import { goQuote } from "@gatehouse/envelopes/go";
import { textAt } from "@gatehouse/envelopes/json";
import type { Account } from "./account.js";

/** The name of the account that every namespace gets a moment after its creation. */
export const defaultAccount = "default";

/**
 * Number of attempts to find an account, and the bounds of the wait between them (as in v1.29, where some pods wait
 * longer).
 */
const defaultAttempts = 10;
const shortestWaitMs = 100;
const longestWaitMs = 200;

/** Finds the account that a pod names; waits for one that is sure to come. Rejects with 403. */
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
