import { copyJson } from "../codec/copy-json.js";
import { jsonTypeName } from "../codec/json-type-name.js";
import { maxValues } from "../codec/json-value-count.js";
import { setKey } from "../codec/object-plan.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import { finishSteps, type Steps } from "../scheduling/steps.js";
import { badRequest, requestEntityTooLarge } from "../status/status-error.js";
import { ChunkedList } from "./chunked-list.js";
import { isSameDocument, jsonByteLength, member, shallowCopy, sortMembersInPlace } from "./json-members.js";
import { patchDoesNotApply } from "./patch-does-not-apply.js";

/*
 * JSON Patch (RFC 6902), as kube-apiserver 1.29 applies it. Where its patch library departs from
 * the RFC, so do we: negative list indices count from the end, an absent `value` is null, the whole document can be
 * replaced and tested but not added, removed, moved or copied, and text before the first `/` of a path is ignored.
 */

/** A step of a patch. Members are as the client sent them; errors in them show when the step is applied. */
export type JsonPatchOperation = JsonObject;

/** A patch whose shape is right; whether it fits the object shows when it is applied. */
export interface DecodedJsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** Unknown members of operations, worded for field validation: warnings under `Warn`, an error under `Strict`. */
  readonly strictErrors: readonly string[];
}

/** The limit of operations in one patch. */
const maxJsonPatchOperations = 10_000;

/**
 * The default limit of what all `copy` operations of one patch may add together, in bytes of JSON. They may not add
 * more values than a body may hold either.
 */
const defaultMaxCopyBytes = 3 * 1024 * 1024;

const operationMembers = ["op", "path", "from", "value"];

/**
 * Checks the shape of a patch document. Throws 400 if it is not a list of operations and 413 if it has too many.
 * With `fieldValidation` `Ignore` the types of the members are not looked at here.
 */
export function decodeJsonPatch(
  patch: JsonValue,
  options: { readonly fieldValidation?: "Ignore" | "Warn" | "Strict" } = {},
): DecodedJsonPatch {
  const typed = options.fieldValidation !== "Ignore";
  const problem = typed ? "error decoding patch: json: cannot unmarshal" : "json: cannot unmarshal";
  const items = patch ?? [];
  if (!Array.isArray(items)) {
    const target = typed ? "[]handlers.jsonPatchOp" : "jsonpatch.Patch";
    throw badRequest(`${problem} ${jsonTypeName(items)} into Go value of type ${target}`);
  }
  const strictErrors: string[] = [];
  const operations = items.map((item, index) => {
    const operation = item ?? {};
    if (!isJsonObject(operation)) {
      const target = typed ? "handlers.jsonPatchOp" : "jsonpatch.Operation";
      throw badRequest(`${problem} ${jsonTypeName(item)} into Go value of type ${target}`);
    }
    if (typed) {
      checkMembers(operation, index, problem, strictErrors);
    }
    return operation;
  });
  if (operations.length > maxJsonPatchOperations) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${operations.length}`,
    );
  }
  return { operations, strictErrors };
}

function checkMembers(operation: JsonObject, index: number, problem: string, strictErrors: string[]): void {
  for (const key of Object.keys(operation)) {
    const value = operation[key];
    if (!operationMembers.includes(key)) {
      strictErrors.push(`json patch unknown field "[${index}].${key}"`);
    } else if (key !== "value" && typeof value !== "string" && value !== null && value !== undefined) {
      throw badRequest(`${problem} ${jsonTypeName(value)} into Go struct field jsonPatchOp.${key} of type string`);
    }
  }
}

/**
 * Returns the document with all operations applied. The given document and patch are not changed, but the result shares
 * parts with both. Throws 422 if any operation cannot be applied; operations are all or nothing.
 */
export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): JsonValue {
  return finishSteps(jsonPatchSteps(document, operations, options));
}

/** Limits of applying a patch. */
export interface JsonPatchOptions {
  /** The limit of copied data in bytes; `defaultMaxCopyBytes` by default. */
  readonly maxCopyBytes?: number;
}

/** Applies a patch as `applyJsonPatch` does, in steps of one operation. */
export function* jsonPatchSteps(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): Steps<JsonValue> {
  const state: PatchState = {
    // A list around the document makes the document itself an ordinary element that can be replaced.
    root: [isContainer(document) ? ownCopy(document) : document],
    owned: new Set(),
    lists: new Map(),
    copyBytesLeft: options.maxCopyBytes ?? defaultMaxCopyBytes,
    copyValuesLeft: maxValues,
  };
  const [own] = state.root;
  if (isContainer(own)) {
    takeOver(state, own);
  }
  for (const operation of operations) {
    applyOperation(state, operation);
    yield;
  }
  writeLists(state);
  for (const container of state.owned) {
    if (!Array.isArray(container)) {
      sortMembersInPlace(container);
    }
  }
  return state.root[0] ?? null;
}

interface PatchState {
  /** The document alone. */
  readonly root: JsonValue[];
  /** Containers made by this run: they may be changed in place, all others are copied first. */
  readonly owned: Set<Container>;
  /** Current contents of owned lists; the lists themselves are updated only when read. */
  readonly lists: Map<JsonValue[], ChunkedList>;
  copyBytesLeft: number;
  copyValuesLeft: number;
}

type Container = JsonValue[] | JsonObject;

/** A container that may be changed in place, and the key of one of its parts. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

function applyOperation(state: PatchState, operation: JsonPatchOperation): void {
  const value = member(operation, "value") ?? null;
  switch (member(operation, "op")) {
    case "add":
      add(state, pathOf(operation, "path"), value);
      break;
    case "remove":
      take(state, pathOf(operation, "path"));
      break;
    case "replace":
      replace(state, pathOf(operation, "path"), value);
      break;
    case "move": {
      const moved = take(state, pathOf(operation, "from"));
      add(state, pathOf(operation, "path"), moved);
      break;
    }
    case "copy":
      copy(state, pathOf(operation, "from"), pathOf(operation, "path"));
      break;
    case "test":
      test(state, pathOf(operation, "path"), value);
      break;
    default:
      throw patchDoesNotApply("unknown operation");
  }
}

function add(state: PatchState, path: string, value: JsonValue): void {
  insert(state, locate(state, path), value);
}

function insert(state: PatchState, { container, key }: Place, value: JsonValue): void {
  if (!Array.isArray(container)) {
    setKey(container, key, value);
    return;
  }
  const list = listOf(state, container);
  list.insert(key === "-" ? list.length : indexIn(key, list.length + 1), value);
}

function take(state: PatchState, path: string): JsonValue {
  const { container, key } = locate(state, path);
  const value = read(state, container, key);
  if (value === undefined) {
    throw patchDoesNotApply("nothing at the path");
  }
  if (Array.isArray(container)) {
    const list = listOf(state, container);
    list.remove(indexIn(key, list.length));
  } else {
    delete container[key];
  }
  return value;
}

/** Replaces a member, or adds an absent one, as v1.29 does; an item of a list must be there. */
function replace(state: PatchState, path: string, value: JsonValue): void {
  if (path === "") {
    // What is no document changes nothing, without a word.
    if (isContainer(value)) {
      state.root[0] = ownCopy(value);
      takeOver(state, state.root[0]);
    }
    return;
  }
  const { container, key } = locate(state, path);
  if (Array.isArray(container)) {
    const list = listOf(state, container);
    list.set(indexIn(key, list.length), value);
  } else {
    setKey(container, key, value);
  }
}

/** Copies a value; an absent member is copied as null, as v1.29 does. */
function copy(state: PatchState, from: string, path: string): void {
  const source = locate(state, from);
  const target = locate(state, path);
  const value = read(state, source.container, source.key) ?? null;
  writeLists(state);
  state.copyValuesLeft = valuesLeft(value, state.copyValuesLeft);
  if (state.copyValuesLeft >= 0) {
    // Asked of what has few values only: a copy of copies may have a million in a few bytes each.
    state.copyBytesLeft -= jsonByteLength(value);
  }
  if (state.copyValuesLeft < 0 || state.copyBytesLeft < 0) {
    throw patchDoesNotApply("the copy operations add more than the limit");
  }
  sortOwned(state, value);
  // A real copy: both places may be changed later, each on its own.
  insert(state, target, copyJson(value));
}

/** Sorts the members of what the patch has looked into, in a value that is copied: v1.29 writes the copy as JSON. */
function sortOwned(state: PatchState, value: JsonValue): void {
  if (!isContainer(value)) {
    return;
  }
  if (!Array.isArray(value) && state.owned.has(value)) {
    sortMembersInPlace(value);
  }
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    sortOwned(state, part ?? null);
  }
}

function test(state: PatchState, path: string, expected: JsonValue): void {
  if (path === "") {
    writeLists(state);
    if (!isSameDocument(expected, state.root[0] ?? null)) {
      throw patchDoesNotApply("test failed");
    }
    return;
  }
  const { container, key } = locate(state, path);
  // A member that is absent passes a test for null.
  const actual = read(state, container, key) ?? null;
  if (isContainer(actual)) {
    writeLists(state);
  }
  if (!isSameDocument(expected, actual)) {
    throw patchDoesNotApply("test failed");
  }
}

/** Returns `left` less the number of values in a value, itself included; below zero as soon as they are more. */
function valuesLeft(value: JsonValue, left: number): number {
  let rest = left - 1;
  if (isContainer(value)) {
    const items = Array.isArray(value) ? value : Object.values(value);
    for (let index = 0; index < items.length && rest >= 0; index++) {
      rest = valuesLeft(items[index] ?? null, rest);
    }
  }
  return rest;
}

function pathOf(operation: JsonPatchOperation, key: "path" | "from"): string {
  const path = member(operation, key);
  if (typeof path !== "string") {
    throw patchDoesNotApply(`operation without ${key}`);
  }
  return path;
}

/** Finds the container that holds the last step of a path, owned and so ready to be changed, and the key inside it. */
function locate(state: PatchState, path: string): Place {
  const steps = path.split("/");
  const last = steps.pop();
  if (last === undefined || steps.length === 0) {
    throw patchDoesNotApply("the path leads to the document itself");
  }
  let container = state.root[0] ?? null;
  if (!isContainer(container)) {
    throw patchDoesNotApply("the document is no container");
  }
  for (const step of steps.slice(1)) {
    container = own(state, container, unescapeStep(step));
  }
  return { container, key: unescapeStep(last) };
}

/** Returns the container under `key`, replaced by a copy unless this run made it. */
function own(state: PatchState, parent: Container, key: string): Container {
  const child = read(state, parent, key);
  if (!isContainer(child)) {
    throw patchDoesNotApply("the path leads nowhere");
  }
  if (state.owned.has(child)) {
    return child;
  }
  const copied = ownCopy(child);
  takeOver(state, copied);
  if (Array.isArray(parent)) {
    const list = listOf(state, parent);
    list.set(indexIn(key, list.length), copied);
  } else {
    setKey(parent, key, copied);
  }
  return copied;
}

function ownCopy(container: Container): Container {
  // Items of a list that is taken over are kept elsewhere until the end.
  return Array.isArray(container) ? container.slice() : shallowCopy(container);
}

function takeOver(state: PatchState, container: Container): void {
  state.owned.add(container);
  if (Array.isArray(container)) {
    state.lists.set(container, new ChunkedList(container));
  }
}

function listOf(state: PatchState, list: JsonValue[]): ChunkedList {
  return state.lists.get(list) as ChunkedList;
}

/** Writes the current contents of changed lists into them, for operations that read a value as a whole. */
function writeLists(state: PatchState): void {
  for (const [list, items] of state.lists) {
    items.writeTo(list);
  }
}

function read(state: PatchState, container: Container, key: string): JsonValue | undefined {
  if (!Array.isArray(container)) {
    return member(container, key);
  }
  const list = listOf(state, container);
  return list.at(indexIn(key, list.length));
}

/** Returns a position smaller than `length`; negative ones count from the end. */
function indexIn(key: string, length: number): number {
  if (!/^[+-]?[0-9]{1,15}$/.test(key)) {
    throw patchDoesNotApply("not a list index");
  }
  const index = Number(key);
  if (index >= length || index < -length) {
    throw patchDoesNotApply("index out of range");
  }
  return index < 0 ? index + length : index;
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

/** Unescapes a step (RFC 6901): `~1` is `/`, `~0` is `~`; both in one pass, so that `~01` is `~1`. */
function unescapeStep(step: string): string {
  return step.includes("~") ? step.replace(/~[01]/g, (token) => (token === "~1" ? "/" : "~")) : step;
}
