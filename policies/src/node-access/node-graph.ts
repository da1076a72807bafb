import { memberOf, textOf } from "../access/stored-members.js";
import { podReferences, type ReferencedKind } from "./pod-references.js";
import { type VolumeReferences, volumeReferences } from "./volume-references.js";

/** The kind of an object from which the graph leads to nodes. */
export type GraphKind = ReferencedKind | "persistentvolumes" | "volumeattachments";

/**
 * A graph from objects to nodes: through pods that run there, through claims that such pods use, and through volumes
 * that are bound to such claims. Its owner follows the objects and keeps it up to date.
 */
export class NodeGraph {
  /** Numbers of referring pods by node, by key of the referenced object. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #pods = new Map<string, PlacedPod>();
  readonly #volumes = new Map<string, VolumeReferences>();
  /** The names of the volumes that name a secret. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #attachments = new Map<string, string>();

  /** Adds or replaces a pod. One that is on no node leads nowhere. */
  setPod(namespace: string, name: string, pod: unknown): void {
    this.deletePod(namespace, name);
    const node = textOf(memberOf(pod, "spec"), "nodeName");
    if (node === "") {
      return;
    }
    const keys = [...new Set(podReferences(pod).map((reference) => keyOf(reference.kind, namespace, reference.name)))];
    this.#pods.set(`${namespace}/${name}`, { node, keys });
    for (const key of keys) {
      const nodes = this.#nodes.get(key) ?? new Map<string, number>();
      this.#nodes.set(key, nodes);
      nodes.set(node, (nodes.get(node) ?? 0) + 1);
    }
  }

  deletePod(namespace: string, name: string): void {
    const pod = this.#pods.get(`${namespace}/${name}`);
    this.#pods.delete(`${namespace}/${name}`);
    for (const key of pod?.keys ?? []) {
      this.#release(key, pod?.node ?? "");
    }
  }

  /** Adds or replaces a persistent volume. */
  setVolume(name: string, volume: unknown): void {
    this.deleteVolume(name);
    const references = volumeReferences(volume);
    if (references === undefined) {
      return;
    }
    this.#volumes.set(name, references);
    for (const secret of references.secrets) {
      const key = keyOf("secrets", secret.namespace, secret.name);
      const volumes = this.#volumesOfSecret.get(key) ?? new Set<string>();
      this.#volumesOfSecret.set(key, volumes.add(name));
    }
  }

  deleteVolume(name: string): void {
    const references = this.#volumes.get(name);
    this.#volumes.delete(name);
    for (const secret of references?.secrets ?? []) {
      const key = keyOf("secrets", secret.namespace, secret.name);
      const volumes = this.#volumesOfSecret.get(key);
      volumes?.delete(name);
      if (volumes?.size === 0) {
        this.#volumesOfSecret.delete(key);
      }
    }
  }

  /** Adds or replaces a volume attachment. */
  setAttachment(name: string, attachment: unknown): void {
    this.#attachments.set(name, textOf(memberOf(attachment, "spec"), "nodeName"));
  }

  deleteAttachment(name: string): void {
    this.#attachments.delete(name);
  }

  /**
   * Reports whether an object leads to a node. The namespace is empty for cluster-scoped objects: reviews can ask about one in
   * a namespace, where there is none.
   */
  leadsTo(node: string, kind: GraphKind, namespace: string, name: string): boolean {
    switch (kind) {
      case "volumeattachments":
        return namespace === "" && this.#attachments.get(name) === node;
      case "persistentvolumes":
        return namespace === "" && this.#volumeLeadsTo(node, name);
      default:
        return this.#isUsedOn(node, keyOf(kind, namespace, name)) || this.#isOfVolumeOn(node, kind, namespace, name);
    }
  }

  #isOfVolumeOn(node: string, kind: GraphKind, namespace: string, name: string): boolean {
    const volumes = kind === "secrets" ? this.#volumesOfSecret.get(keyOf(kind, namespace, name)) : undefined;
    return volumes !== undefined && [...volumes].some((volume) => this.#volumeLeadsTo(node, volume));
  }

  #volumeLeadsTo(node: string, name: string): boolean {
    const claim = this.#volumes.get(name)?.claim;
    return claim !== undefined && this.#isUsedOn(node, keyOf("persistentvolumeclaims", claim.namespace, claim.name));
  }

  #isUsedOn(node: string, key: string): boolean {
    return this.#nodes.get(key)?.has(node) === true;
  }

  #release(key: string, node: string): void {
    const nodes = this.#nodes.get(key);
    const uses = (nodes?.get(node) ?? 0) - 1;
    if (uses > 0) {
      nodes?.set(node, uses);
    } else if (nodes?.delete(node) === true && nodes.size === 0) {
      this.#nodes.delete(key);
    }
  }
}

/** A pod on a node, with the keys of the objects that it refers to. */
interface PlacedPod {
  readonly node: string;
  readonly keys: readonly string[];
}

function keyOf(kind: GraphKind, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
