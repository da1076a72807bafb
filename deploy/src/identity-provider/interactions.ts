import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "@gatehouse/component-base/https-service";
import type Provider from "oidc-provider";
import { loginPage } from "./login-page.js";
import { pagePolicy } from "./page.js";
import { type DevelopmentUser, findUser } from "./users.js";

const maxFormBytes = 16 * 1024;

/**
 * Answers the questions of the provider to people: who they are, by name and password from the file of users. They are
 * not asked for their consent, since the only client is theirs.
 */
export async function answerInteraction(
  provider: Provider,
  users: readonly DevelopmentUser[],
  usersFile: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "consent" && session !== undefined) {
    const grant = new provider.Grant({ accountId: session.accountId, clientId: String(params["client_id"]) });
    grant.addOIDCScope(String(params["scope"]));
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    return;
  }
  if (request.method !== "POST") {
    showLogin(response, false, usersFile);
    return;
  }
  const form = new URLSearchParams((await readBody(request, maxFormBytes)).toString("utf8"));
  const user = findUser(users, form.get("name") ?? "", form.get("password") ?? "");
  if (user === undefined) {
    showLogin(response, true, usersFile);
    return;
  }
  await provider.interactionFinished(request, response, { login: { accountId: user.name } });
}

function showLogin(response: ServerResponse, hasFailed: boolean, usersFile: string): void {
  response.writeHead(hasFailed ? 403 : 200, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": pagePolicy,
  });
  response.end(loginPage(hasFailed, usersFile));
}
