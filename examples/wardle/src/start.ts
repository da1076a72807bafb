import {
  type ApiServer,
  bearerTokenAuthenticator,
  parseTokenFile,
  startApiServer,
  staticTokens,
} from "@gatehouse/apiserver";
import { catchesOf } from "./catches.js";
import { flunders } from "./flunders.js";

/** Starts the API of flunders and catches in a folder; those who show `token` may do everything. */
export async function startWardle(directory: string, token: string): Promise<ApiServer> {
  const server: ApiServer = await startApiServer({
    groups: [
      { name: "wardle.example.com", versions: ["v1alpha1"], resources: [flunders, catchesOf(() => server.client)] },
    ],
    directory,
    authenticators: [bearerTokenAuthenticator(staticTokens(parseTokenFile(`${token},admin,1,"system:masters"`)))],
  });
  return server;
}
