import { type CreateStrategy, completeCreateStrategy, type KindCreateStrategy } from "./create-strategy.js";
import { completeDeletionStrategy, type DeletionStrategy } from "./deletion-strategy.js";
import type { GenerationStrategy } from "./generation-strategy.js";
import type { KindValidation, KindWarnings, ValidateUpdate } from "./kind-validation.js";
import { completeMetadataStrategy, type KindMetadataStrategy, type MetadataStrategy } from "./metadata-strategy.js";
import { completeStatusStrategy, type KindStatusStrategy, type StatusStrategy } from "./status-strategy.js";
import {
  completeUpdateStrategy,
  type KindUpdateStrategy,
  type SubresourceStrategy,
  type UpdateStrategy,
} from "./update-strategy.js";

/** The rules of a resource for every verb that writes, complete and frozen. */
export interface ResourceStrategy {
  readonly metadata: MetadataStrategy;
  /** The rules for metadata.generation; undefined for kinds that do not maintain it. */
  readonly generation: GenerationStrategy | undefined;
  readonly create: CreateStrategy;
  readonly update: UpdateStrategy;
  readonly status: StatusStrategy;
  readonly deletion: DeletionStrategy;
}

/**
 * The rules of a kind as its `strategy.ts` or `definition.ts` states them: only what departs from the defaults, which the
 * strategies of the verbs describe. A kind without rules states nothing.
 */
export interface KindStrategy {
  /** The validation rules, for all verbs. */
  readonly validation?: KindValidation;
  /** The warnings about objects that are created or updated. */
  readonly warnings?: KindWarnings;
  readonly metadata?: KindMetadataStrategy;
  readonly generation?: GenerationStrategy;
  readonly create?: KindCreateStrategy;
  readonly update?: KindUpdateStrategy;
  readonly status?: KindStatusStrategy;
  readonly deletion?: Partial<DeletionStrategy>;
}

/** Returns the complete rules of a resource with these subresources; what `kind` does not state has its default. */
export function completeStrategy(kind: KindStrategy, subresources: readonly string[]): ResourceStrategy {
  const { validation, warnings } = kind;
  const hasStatus = subresources.includes("status");
  const validating = (name: string): { readonly validateUpdate?: ValidateUpdate } =>
    validation === undefined ? {} : { validateUpdate: validation.subresources?.[name] ?? validation.update };
  const updating = completeUpdateStrategy(hasStatus, kind.update);
  const others = subresources
    .filter((name) => name !== "status")
    .map((name): [string, SubresourceStrategy] => [
      name,
      Object.freeze({
        ...(updating.prepareForUpdate === undefined ? {} : { prepareForUpdate: updating.prepareForUpdate }),
        resetFields: [],
        ...validating(name),
        ...kind.update?.subresources?.[name],
      }),
    ]);
  return Object.freeze({
    metadata: Object.freeze(completeMetadataStrategy(validation?.validateName, kind.metadata)),
    generation: kind.generation,
    create: Object.freeze({
      ...completeCreateStrategy(hasStatus, kind.create),
      ...(validation === undefined ? {} : { validate: validation.create }),
      ...(warnings === undefined ? {} : { warningsOnCreate: warnings }),
    }),
    update: Object.freeze({
      ...updating,
      ...(validation === undefined ? {} : { validateUpdate: validation.update }),
      ...(warnings === undefined ? {} : { warningsOnUpdate: warnings }),
      subresources: new Map(others),
    }),
    status: Object.freeze({ ...completeStatusStrategy(hasStatus, kind.status), ...validating("status") }),
    deletion: Object.freeze(completeDeletionStrategy(kind.deletion)),
  });
}

/** Returns the rules for a write that replaces an object, through itself (an empty name) or a subresource. */
export function writeStrategyOf({ update, status }: ResourceStrategy, subresource: string): SubresourceStrategy {
  switch (subresource) {
    case "":
      return update;
    case "status":
      return status;
    default:
      return update.subresources.get(subresource) ?? update;
  }
}
