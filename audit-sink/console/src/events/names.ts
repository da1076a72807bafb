import { type Attributes, element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";

/** Characters at the end of a long name that are always shown. */
const tailLength = 9;
/** Names up to this length are not divided. */
const shortLength = 20;

/** Returns a user name as people say it: `sa kube-system/bootstrap-roles`, `node worker-1`. */
export function shortUser(name: string): string {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):(.+)$/s.exec(name) ?? [];
  if (namespace !== undefined && account !== undefined) {
    return `sa ${namespace}/${account}`;
  }
  const node = /^system:node:(.+)$/s.exec(name)?.[1];
  return node === undefined ? name : `node ${node}`;
}

/**
 * Makes a name that is cut in the middle where it has too little room, never at its end. One in two parts has a label,
 * because it would be read out as two words.
 */
export function nameElement(name: string, attributes: Attributes = {}): HTMLElement {
  const text = visibleText(name);
  if (text.length <= shortLength) {
    return element("span", { ...attributes, class: "name" }, element("span", { class: "name-head" }, text));
  }
  const cut = text.length - tailLength;
  return element(
    "span",
    { ...attributes, class: "name", role: "img", "aria-label": text },
    element("span", { class: "name-head" }, text.slice(0, cut)),
    element("span", { class: "name-tail" }, text.slice(cut)),
  );
}
