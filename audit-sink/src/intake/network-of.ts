import { isIPv6 } from "node:net";

const groupsOfAddress = 8;
const groupsOfNetwork = 4;

/**
 * Returns the network that counts as one caller: the address itself for IPv4, its first 64 bits for IPv6, since one host can
 * use all addresses of such a network.
 */
export function networkOf(address: string): string {
  const [text = ""] = address.split("%");
  if (!isIPv6(text)) {
    return text;
  }
  const [head = "", tail] = text.split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const zeros = new Array<string>(Math.max(0, groupsOfAddress - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, groupsOfNetwork);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

function groupsOf(part: string): readonly string[] {
  return part === "" ? [] : part.split(":");
}
