import { sendJsonBytes, sendText } from "@gatehouse/apiserver/http";
import type { Handler, RequestContext } from "@gatehouse/apiserver/request";
import type { Routes } from "@gatehouse/apiserver/routes";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { methodNotAllowed, notFound } from "@gatehouse/envelopes/status";
import type { ForkedServers } from "./forked-servers.js";

const root = "/forks";

/**
 * Returns the routes of forks. POST to `/forks` starts one and answers with its kubeconfig, and with its path in the header
 * `Location`; DELETE of that path ends it; GET lists the URLs by name. Each needs authorization as any other path does.
 */
export function forkRoutes(forks: ForkedServers): Routes {
  const all: Handler = async (context) => {
    if (context.method === "GET") {
      return sendJsonBytes(context, 200, Buffer.from(encodeJson({ forks: forks.urls() })));
    }
    if (context.method !== "POST") {
      throw methodNotAllowed();
    }
    const { name, kubeconfig } = await forks.add();
    context.setHeader("Location", `${root}/${name}`);
    sendJsonBytes(context, 201, Buffer.from(encodeJson(kubeconfig)));
  };
  const one = async (context: RequestContext, name: string): Promise<void> => {
    if (context.method !== "DELETE") {
      throw methodNotAllowed();
    }
    if (!(await forks.delete(name))) {
      throw notFound({ group: "", resource: "forks" }, name);
    }
    sendText(context, 200, "the fork has ended\n");
  };
  return (path) => {
    if (path === root) {
      return all;
    }
    return path.startsWith(`${root}/`) ? (context) => one(context, path.slice(root.length + 1)) : undefined;
  };
}
