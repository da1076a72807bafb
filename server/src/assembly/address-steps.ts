import type { ControllerName } from "../options/controller-names.js";
import type { AddressObjectsPart } from "./address-objects-part.js";

/** The steps of the start until addresses of Services can be allocated as objects. Controllers that do not run have none. */
export class AddressSteps {
  readonly whenCidrsExist: Promise<void>;
  readonly #addressObjects: AddressObjectsPart;
  #hasDefaultCidr = false;
  #areRepaired = false;
  #noteCidrs = (): void => {};

  constructor(addressObjects: AddressObjectsPart, runs: (name: ControllerName) => boolean) {
    this.#addressObjects = addressObjects;
    this.whenCidrsExist = new Promise((resolve) => {
      this.#noteCidrs = resolve;
    });
    if (!runs("kubernetes-service-cidr-controller")) {
      this.noteDefaultCidr();
    }
    if (!runs("ipallocator-repair-controller")) {
      this.noteRepaired();
    }
  }

  get hasDefaultCidr(): boolean {
    return this.#hasDefaultCidr;
  }

  get areRepaired(): boolean {
    return this.#areRepaired;
  }

  /** Notes that the ServiceCIDR of every cluster exists. */
  noteDefaultCidr(): void {
    this.#hasDefaultCidr = true;
    this.#noteCidrs();
  }

  /** Notes that the addresses of all Services have IPAddresses: others can be told from them. */
  noteRepaired(): void {
    this.#areRepaired = true;
    this.#addressObjects.allow();
  }
}
