import { checkFormat, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";

const maxNodes = 128;

/** Validates names of nodes: at most 128, each once. */
export function checkUniqueNodes(nodes: readonly string[], path: FieldPath, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (errors.isFull) {
      break;
    }
    if (seen.has(node)) {
      errors.duplicate(path.index(index), node);
    } else {
      checkFormat(node, checkSubdomainName, path.index(index), errors);
    }
    seen.add(node);
  }
  if (nodes.length > maxNodes) {
    errors.tooLongFor(path, maxNodes);
  }
}
