// Objects that both servers have before the first case, and the moment from which their authorizers know them.
import { as } from "./random-users.mjs";

/** Sends the same objects to several servers, one after the other: `[{ path, body }]`. Those that are there stay. */
export async function prepare(sides, objects) {
  for (const side of sides) {
    for (const { path, body, method = "POST", headers } of objects) {
      await tell(side, { method, path, headers, body });
    }
  }
}

/**
 * Waits until the answers of all servers to a request are as wanted, at most ten seconds each unless told otherwise: v1.29's
 * authorizers learn of roles and bindings a moment after they are stored, and so may those of others.
 */
export async function untilBoth(sides, request, isWanted, seconds = 10) {
  for (const side of sides) {
    for (let attempt = 1; ; attempt++) {
      const answer = await side.request(request);
      if (isWanted(answer)) break;
      if (attempt === seconds * 20) throw new Error(`${request.path}: ${answer.status} ${answer.body}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Waits until each of the users may read a path where nothing is, at most ten seconds each. */
export async function untilAllMayRead(sides, path, users) {
  for (const { name, groups = [] } of users) {
    await untilBoth(sides, { method: "GET", path, headers: as(name, groups) }, ({ status }) => status === 404);
  }
}

async function tell(side, { body, headers, ...request }) {
  const answer = await side.request({
    ...request,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (answer.status >= 400 && answer.status !== 409) {
    throw new Error(`${side.server} ${request.path}: ${answer.status} ${answer.body}`);
  }
}
