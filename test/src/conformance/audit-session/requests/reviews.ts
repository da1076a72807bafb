import { get, mediaHeaders, post, type Step } from "../step.js";

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";

/** Questions that are answered and never stored. */
export function reviews(tag: string): readonly Step[] {
  const review = `${authorization}/subjectaccessreviews`;
  return [
    post(`${authorization}/selfsubjectaccessreviews`, '{"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}}}'),
    post(
      `${authorization}/namespaces/${tag}/localsubjectaccessreviews`,
      `{"metadata":{"namespace":"${tag}"},"spec":{"user":"u","resourceAttributes":{"namespace":"${tag}","verb":"get","resource":"pods"}}}`,
    ),
    post(
      review,
      '{"spec":{"user":"u","groups":["g"],"extra":{"k":["v"]},"nonResourceAttributes":{"path":"/","verb":"get"}}}',
    ),
    post(review, '{"spec":{}}'),
    { ...post(review, '{"spec":{"user":"u"}}'), as: "jane" },
    post(`${authentication}/selfsubjectreviews`, "{}"),
    { ...post(`${authentication}/selfsubjectreviews`, "{}"), as: "jane" },
    post(`${authentication}/tokenreviews`, '{"spec":{"token":"user-token"}}'),
    post(`${authentication}/tokenreviews`, '{"spec":{"token":"unknown","audiences":["a"]}}'),
    post(`${authentication}/tokenreviews`, "spec: {token: user-token}\n", mediaHeaders.yaml),
    post(`${authentication}/tokenreviews`, "{}"),
    get(`${authentication}/tokenreviews`),
  ];
}
