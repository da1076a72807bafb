import { mediaHeaders, post, type Step, send } from "../step.js";

const { merge, strategic, jsonPatch, apply, yaml } = mediaHeaders;

/** Bodies that are no objects of their resource, or none at all. */
export function badBodies(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const one = `${maps}/${tag}-bad`;
  return [
    ...[
      '{"metadata"',
      "[]",
      '{"metadata":{"name":"UPPER"}}',
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}',
      '{"kind":"ConfigMap","apiVersion":"v9","metadata":{"name":"a"}}',
      '{"metadata":{"name":1}}',
      '{"metadata":{"name":"a","namespace":"elsewhere"}}',
      "",
      "null",
      '"text"',
      "1",
      "\u0000",
      "\ufeff{}",
      `{"metadata":{"name":"${tag}-bad"},"data":{"a":"1","a":"2"}}`,
    ].map((body) => post(maps, body)),
    post(maps, "a: [\n", yaml),
    post(maps, "- a\n", yaml),
    post(maps, `metadata: {name: ${tag}-many}\n---\nmetadata: {name: other}\n`, yaml),
    post(maps, "{}", { "content-type": "" }),
    post(maps, "{}", { "content-type": "application/json; charset=latin1" }),
    post(`/api/v1/namespaces/${tag}/secrets`, '{"metadata":{"name":"a"},"data":{"a":"no base64"}}'),
    send("PUT", one, '{"metadata":{"name":"other"}}'),
    send("PUT", one, "a: [\n", yaml),
    send("PUT", maps, "{}"),
    post(`${maps}/a`, "{}"),
    send("PATCH", one, "[]", merge),
    send("PATCH", one, '{"data":', merge),
    send("PATCH", one, '{"metadata":{"name":"other"}}', merge),
    send("PATCH", one, '{"$patch":"odd"}', strategic),
    send("PATCH", one, '[{"op":"odd"}]', jsonPatch),
    send("PATCH", one, '[{"op":"remove","path":"/data/none"}]', jsonPatch),
    send("PATCH", one, "[{]", jsonPatch),
    send("PATCH", one, "", merge),
    send("PATCH", `${one}?fieldManager=k`, "kind: Secret\napiVersion: v1\n", apply),
    send("PATCH", one, "kind: ConfigMap\napiVersion: v1\n", apply),
    send("PATCH", `${maps}/default`, "[{]", jsonPatch),
    send("DELETE", one, '{"kind":"Pod","apiVersion":"v1"}'),
    send("DELETE", one, '{"gracePeriodSeconds":'),
    { method: "DELETE", path: one },
  ];
}
