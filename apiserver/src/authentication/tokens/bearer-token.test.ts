import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bearerTokenAuthenticator } from "./bearer-token.js";
import { parseTokenFile, staticTokens } from "./static-tokens.js";

const warning = "the provided Authorization header contains extra space before the bearer token, and is ignored";

describe("Bearer tokens", () => {
  const authenticator = bearerTokenAuthenticator(
    staticTokens(parseTokenFile("secret,jane,uid-1,developers\ngeheimß,jo,uid-2\n")),
  );
  const rows: readonly [title: string, header: string | undefined, outcome: string, warning?: string][] = [
    ["no header is no credential", undefined, "noOpinion"],
    ["a known token is accepted", "Bearer secret", "authenticated"],
    ["the scheme is read in any case", "bEARER secret", "authenticated"],
    ["what comes after another space is not read", "Bearer secret more", "authenticated"],
    ["blanks around the header have no meaning", "\t Bearer secret\t ", "authenticated"],
    ["a tab inside is part of the token", "Bearer secret\t more", "rejected"],
    ["a tab is part of the token", "Bearer \tsecret", "rejected"],
    ["a token is read as UTF-8", `Bearer ${Buffer.from("geheimß").toString("latin1")}`, "authenticated"],
    ["an unknown token is refused", "Bearer nope", "rejected"],
    ["further spaces make no credential, with a warning", "Bearer  secret", "noOpinion", warning],
    ["another scheme is no credential", "Basic secret", "noOpinion"],
    ["a scheme alone is no credential", "Bearer ", "noOpinion"],
  ];
  for (const [title, authorization, outcome, expectedWarning] of rows) {
    test(title, async () => {
      const headers = authorization === undefined ? {} : { authorization };
      const decision = await authenticator.authenticate({ headers, headerValues: () => [], socket: undefined }, []);
      assert.equal(decision.outcome, outcome);
      assert.equal(decision.outcome === "noOpinion" ? decision.warning : undefined, expectedWarning);
    });
  }
});
