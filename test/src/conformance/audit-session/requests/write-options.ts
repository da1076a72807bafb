import { get, mediaHeaders, post, type Step, send } from "../step.js";

const { json, merge, apply } = mediaHeaders;

/** Writes with the options that a query or a body of DeleteOptions carries. */
export function writeOptions(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const one = `${maps}/${tag}-options`;
  const applied = (owner: string, value: string, query = ""): Step =>
    send(
      "PATCH",
      `${maps}/${tag}-shared?fieldManager=${owner}${query}`,
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${tag}-shared"},"data":{"k":"${value}"}}`,
      apply,
    );
  return [
    post(maps, `{"metadata":{"name":"${tag}-options","labels":{"run":"yes"}},"data":{"n":"1"}}`),
    post(maps, `{"metadata":{"generateName":"${tag}-gen-"}}`),
    post(`${maps}?fieldManager=someone`, `{\n  "metadata": {\n    "name": "${tag}-pretty"\n  }\n}`),
    post(`${maps}?fieldManager=${"m".repeat(129)}`, `{"metadata":{"name":"${tag}-manager"}}`),
    post(`${maps}?fieldValidation=Warn`, `{"metadata":{"name":"${tag}-warn"},"odd":1}`),
    post(`${maps}?fieldValidation=Strict`, `{"metadata":{"name":"${tag}-strict"},"odd":1}`),
    post(`${maps}?fieldValidation=odd`, `{"metadata":{"name":"${tag}-odd"}}`),
    post(`${maps}?dryRun=odd`, `{"metadata":{"name":"${tag}-odd"}}`),
    send("PUT", one, `{"metadata":{"name":"${tag}-options"}}`),
    send("PUT", `${one}?dryRun=All`, `{"metadata":{"name":"${tag}-options"},"data":{"dry":"1"}}`),
    send(
      "PUT",
      one,
      `{"metadata":{"name":"${tag}-options","uid":"12345678-1234-1234-1234-123456789012","resourceVersion":"1"}}`,
    ),
    send("PATCH", `${maps}/${tag}-none`, "{}", merge),
    send("PATCH", one, "{}", { "content-type": "text/plain" }),
    send("PATCH", `${one}?force=true`, "{}", merge),
    applied("first", "1"),
    applied("second", "2"),
    applied("second", "2", "&dryRun=All&force=true"),
    applied("second", "2", "&force=true"),
    applied("", "3"),
    applied("first", "1", "&force=odd"),
    get(`${maps}/${tag}-shared`),
    get(`${maps}/${tag}-shared?resourceVersion=odd`),
    { method: "DELETE", path: `${maps}/${tag}-shared?dryRun=All` },
    send("DELETE", `${maps}/${tag}-shared`, '{"preconditions":{"uid":"12345678-1234-1234-1234-123456789012"}}'),
    { method: "DELETE", path: `${maps}/${tag}-shared?gracePeriodSeconds=odd` },
    { method: "DELETE", path: `${maps}/${tag}-pretty?gracePeriodSeconds=0&propagationPolicy=Background` },
    {
      method: "DELETE",
      path: one,
      headers: json,
      body: '{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground","dryRun":["All"]}',
    },
    send("DELETE", `${maps}/none`, '{"preconditions":{"uid":"none"}}'),
  ];
}
