import { type FieldErrors, type FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

const maxNodes = 128;

/** Validates names of nodes: at most 128, each once. */
export function validateUniqueNodes(nodes: readonly string[], path: FieldPath, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (errors.isFull) {
      break;
    }
    if (seen.has(node)) {
      errors.duplicate(path.index(index), node);
    } else {
      validateFormat(node, validateSubdomainName, path.index(index), errors);
    }
    seen.add(node);
  }
  if (nodes.length > maxNodes) {
    errors.tooLongFor(path, maxNodes);
  }
}
