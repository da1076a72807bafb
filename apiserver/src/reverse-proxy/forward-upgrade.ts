import type { RequestContext } from "../request/request-context.js";
import type { BackendAnswer, BackendRequest } from "./backend.js";
import type { Forwarding } from "./forward.js";
import { forwardedUpgradeFields } from "./forwarded-request.js";
import { LimitedRecipient } from "./recipient.js";
import { relayAnswer } from "./relay-answer.js";
import { tunnel } from "./tunnel.js";

/** The error for a backend that answers a request for another protocol with neither that nor an error. */
export class InvalidUpgradeError extends Error {
  override readonly name = "InvalidUpgradeError";

  constructor(status: number) {
    super(`invalid upgrade response: status code ${status}`);
  }
}

/** Time in milliseconds in which a backend must agree to another protocol or refuse it. */
const upgradeTimeoutMs = 150_000;

/**
 * Forwards a request for another protocol. Once the backend has agreed, bytes go both ways until both have ended. An answer
 * with an error goes to the client as it is. Resolves at the end. Rejects with HttpClientError or InvalidUpgradeError, before
 * anything was sent to the client.
 */
export async function forwardUpgrade(context: RequestContext, forwarding: Forwarding): Promise<void> {
  const { exchange } = context;
  const { transport, backend, target } = forwarding;
  const fields = forwardedUpgradeFields(exchange);
  const recipient = new LimitedRecipient(exchange);
  const timer = setTimeout(() => recipient.close(), upgradeTimeoutMs);
  const asked: BackendRequest = {
    method: exchange.method,
    target,
    fields: forwarding.fields?.(fields) ?? fields,
    recipient,
  };
  const { answer, socket } = await transport.upgrade(backend, asked).finally(() => {
    clearTimeout(timer);
    recipient.detach();
  });
  if (socket === undefined) {
    await relayRefusal(context, answer);
    return;
  }
  if (exchange.isClosed) {
    socket.destroy();
    return;
  }
  await exchange.mayBegin(answer.status);
  const client = exchange.upgrade(answer.status);
  client.write(headOf(answer));
  await tunnel(client, socket, forwarding);
}

async function relayRefusal({ exchange }: RequestContext, answer: BackendAnswer): Promise<void> {
  if (answer.status < 400) {
    answer.content.destroy();
    throw new InvalidUpgradeError(answer.status);
  }
  const timer = setTimeout(() => exchange.breakOff(), refusalMs);
  try {
    await relayAnswer(exchange, answer);
  } finally {
    clearTimeout(timer);
  }
}

/** Time in milliseconds for the answer of a backend that refuses, as in v1.29. */
const refusalMs = 10_000;

function headOf({ status, statusText, fields }: BackendAnswer): Buffer {
  let text = `HTTP/1.1 ${status} ${statusText}\r\n`;
  for (let at = 0; at < fields.length; at += 2) {
    text += `${fields[at]}: ${fields[at + 1]}\r\n`;
  }
  return Buffer.from(`${text}\r\n`, "latin1");
}
