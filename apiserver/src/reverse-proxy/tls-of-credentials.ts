import type { CallTls, ClientCredentials } from "@gatehouse/component-base/credentials";
import type { BackendTls } from "./dial-backend.js";

/** Returns a source of TLS material that returns one object until the credentials change. */
export function tlsOfCredentials(
  credentials: Pick<ClientCredentials, "forCall">,
  settings: Pick<BackendTls, "insecureSkipTlsVerify" | "serverName">,
): () => BackendTls | Promise<BackendTls> {
  let last: { readonly from: CallTls; readonly tls: BackendTls } | undefined;
  const settle = ({ tls: from }: { readonly tls: CallTls }): BackendTls => {
    if (last?.from !== from) {
      last = { from, tls: { ...from, ...settings } };
    }
    return last.tls;
  };
  return () => {
    const found = credentials.forCall();
    return found instanceof Promise ? found.then(settle) : settle(found);
  };
}
