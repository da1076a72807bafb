import { forwardToLocation, joinPaths } from "@gatehouse/apiserver/reverse-proxy";
import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { goQuote } from "@gatehouse/envelopes/go";
import { textAt } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import { kubeletOf } from "../../../kubelet-client/kubelet-of.js";
import type { NodeCalls } from "../../../kubelet-client/node-calls.js";
import { checkProxyableHost } from "../../../kubelet-client/proxyable-address.js";
import { backendAt } from "../backend-at.js";
import { readNamed } from "../read-named.js";

/** Returns the handler of a node's /proxy, which leads to its kubelet, or to another port of the node. */
export function connectNodeProxy({ config, transports, withoutCredentials }: NodeCalls): Connect {
  return async ({ context, served, options }) => {
    const { name } = context.info;
    const id = splitSchemeNamePort(name);
    if (id === undefined) {
      throw badRequest(`invalid node request ${goQuote(name)}`);
    }
    const kubelet = kubeletOf(await readNamed(served, "", id.name), config);
    await checkProxyableHost(kubelet.host);
    const isKubelet = id.port === "" || id.port === String(kubelet.port);
    const { kubelet: toKubelets, proxy } = transports;
    await forwardToLocation(
      context,
      {
        backend: isKubelet ? kubelet : backendAt(id.scheme, kubelet.host, id.port),
        path: joinPaths("", textAt(options, "path")),
        query: "",
      },
      {
        transport: isKubelet ? toKubelets : proxy,
        upgradeRequired: false,
        rewritesLinks: true,
        withoutCredentials,
      },
    );
  };
}
