import { type DocumentVerdict, lineOf } from "@gatehouse/component-base/manifest-check";
import type { Finding, SourceDocument } from "@gatehouse/component-base/manifests";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { findingAbout, findingsIn, isStrictRefusal } from "./answer-findings.js";
import { type ApplyStep, groupKindOf, type StepDocuments } from "./apply-order.js";
import { untilQuotaCounts, untilServed, untilServiceAccount } from "./in-force.js";
import type { CheckAnswer, JudgingServer } from "./judging-server.js";
import { missingKindMessage } from "./missing-kind.js";
import { patchFrom } from "./patch-from.js";
import { type ServedKind, ServedKinds } from "./served-kinds.js";
import { sideBySide } from "./side-by-side.js";
import { withoutChance } from "./without-chance.js";

/** Settings of a check that decide about single documents. */
export interface DocumentSettings {
  /** Namespace of objects that name none. */
  readonly namespace: string;
  /** True if the verdict on a document may depend on any document before it. */
  readonly oneByOne: boolean;
  /** True if objects in namespaces that nothing makes are refused. */
  readonly strictNamespaces: boolean;
  /** True if documents of kinds that nothing defines are skipped. */
  readonly ignoresMissingKinds: boolean;
}

/** Parameters of each write: an unknown field is refused, as `kubectl apply` asks for it. */
const strict = "fieldValidation=Strict&fieldManager=gatehouse-check";
const dryRun = "dryRun=All";

const definitionKind = "apiextensions.k8s.io/CustomResourceDefinition";

/** Steps whose documents can be put to the server side by side. */
const independentSteps: ReadonlySet<ApplyStep> = new Set(["definitions", "service accounts", "others"]);

/** Puts documents to a server, one after another. What the server takes is there for those that follow. */
export class ManifestCheck {
  readonly #server: JudgingServer;
  readonly #settings: DocumentSettings;
  #kinds: ServedKinds;
  #hasQuotas = false;
  readonly #namespaces: Set<string>;
  /** The documents that were taken, by the path of their object. */
  readonly #taken = new Map<string, SourceDocument>();

  private constructor(server: JudgingServer, settings: DocumentSettings, kinds: ServedKinds, namespaces: Set<string>) {
    this.#server = server;
    this.#settings = settings;
    this.#kinds = kinds;
    this.#namespaces = namespaces;
  }

  static async begin(server: JudgingServer, settings: DocumentSettings): Promise<ManifestCheck> {
    const kinds = await ServedKinds.discover(server);
    const { body } = await server.send({ path: "/api/v1/namespaces" });
    const names = listAt(body, "items").map((namespace) => textAt(namespace, "metadata", "name"));
    return new ManifestCheck(server, settings, kinds, new Set(names));
  }

  /** Puts the documents of a step to the server, and waits until what they define is in force. */
  async judgeStep({ step, documents }: StepDocuments): Promise<ReadonlyMap<SourceDocument, DocumentVerdict>> {
    const verdicts = new Map<SourceDocument, DocumentVerdict>();
    const targets: Target[] = [];
    for (const document of documents) {
      const target = this.#targetOf(document, step);
      if ("findings" in target) {
        verdicts.set(document, target);
      } else {
        targets.push(target);
        verdicts.set(document, { findings: await this.#ensureNamespace(target) });
      }
    }
    // Each of these decides about what comes after it: quotas by what is used up, hooks by what they look up.
    const isOneByOne = this.#settings.oneByOne || this.#hasQuotas || !independentSteps.has(step);
    const keyOf = isOneByOne ? () => "" : conflictKey;
    const found = await sideBySide(targets, keyOf, (target) => this.#judge(target));
    if (step === "definitions") {
      this.#kinds = await ServedKinds.discover(this.#server);
    }
    for (const [index, { source }] of targets.entries()) {
      verdicts.set(source, { findings: [...(verdicts.get(source)?.findings ?? []), ...(found[index] ?? [])] });
    }
    return verdicts;
  }

  /** Finds the place of a document on the server; a verdict when there is none. */
  #targetOf(source: SourceDocument, step: ApplyStep): Target | DocumentVerdict {
    const { content } = source;
    const missing = ["apiVersion", "kind"].filter((name) => textAt(content, name) === "");
    if (missing.length > 0) {
      return {
        findings: missing.map((name) =>
          findingAbout(source, "document", "error", `${name}: is required, and must be text`),
        ),
      };
    }
    const kind = this.#kinds.find(textAt(content, "apiVersion"), textAt(content, "kind"));
    if (kind === undefined) {
      const message = missingKindMessage(textAt(content, "apiVersion"), textAt(content, "kind"), this.#kinds);
      return this.#settings.ignoresMissingKinds
        ? { findings: [], skipped: message }
        : { findings: [findingAbout(source, "kind", "error", message)] };
    }
    const namespace = kind.isNamespaced
      ? textAt(content, "metadata", "namespace") || this.#settings.namespace
      : undefined;
    const path = collectionPath(kind, namespace);
    const objectPath = `${path}/${encodeURIComponent(textAt(content, "metadata", "name"))}`;
    return { source, step, namespace, path, objectPath };
  }

  async #judge(target: Target): Promise<readonly Finding[]> {
    const { source, step, namespace = "" } = target;
    const { content } = source;
    const groupKind = groupKindOf(content);
    if (groupKind === "/Pod" && this.#namespaces.has(namespace)) {
      await untilServiceAccount(this.#server, namespace);
    }
    const findings = step === "webhooks" ? await this.#tryOut(target) : await this.#write(target);
    const further = findings.every(isNoError) ? await this.#untilInForce(target, groupKind) : [];
    return [...findings, ...further].map((finding) => withoutChance(finding, content));
  }

  /** Waits until what an object defines is in force for those that follow. */
  async #untilInForce({ source, objectPath }: Target, groupKind: string): Promise<readonly Finding[]> {
    if (groupKind === "/Namespace") {
      this.#namespaces.add(textAt(source.content, "metadata", "name"));
    }
    if (groupKind === "/ResourceQuota") {
      this.#hasQuotas = true;
      await untilQuotaCounts(this.#server, objectPath);
    }
    if (groupKind === definitionKind) {
      const served = await untilServed(this.#server, source.content);
      if (typeof served === "string") {
        return [findingAbout(source, "object", "warning", `is stored and not served: ${served}`)];
      }
      // Definitions side by side do not see each other; the step ends with a look at all.
      this.#kinds = served;
    }
    return [];
  }

  /** Creates an object, or updates it when a document has created it before. */
  async #write(target: Target): Promise<readonly Finding[]> {
    const { source, path, objectPath } = target;
    const { content } = source;
    const isConverted = groupKindOf(content) === definitionKind && isSet(content, "spec", "conversion", "webhook");
    const answer = await this.#create(target, isConverted ? dryRun : "");
    if (isTaken(answer) && textAt(content, "metadata", "name") !== "") {
      return await this.#update(target);
    }
    if (isStrictRefusal(answer)) {
      return [...findingsIn(source, answer), ...(await this.#furtherProblems(target))];
    }
    if (answer.status < 300) {
      this.#taken.set(objectPath, source);
      if (isConverted) {
        await this.#server.send({ method: "POST", path, body: encodeJson(withoutConversion(content)) });
      }
    }
    return findingsIn(source, answer);
  }

  #create({ source, path }: Target, parameters: string): Promise<CheckAnswer> {
    return this.#server.send({ method: "POST", path: `${path}?${strict}&${parameters}`, ...bodyOf(source) });
  }

  /** Has the server judge an object that it must not act upon: it would call webhooks and servers that are not there. */
  async #tryOut(target: Target): Promise<readonly Finding[]> {
    return findingsIn(target.source, await this.#create(target, dryRun));
  }

  /** Returns the problems of values in an object whose fields are refused, so that one check tells all. */
  async #furtherProblems({ source, path }: Target): Promise<readonly Finding[]> {
    const parameters = `fieldValidation=Ignore&${dryRun}`;
    const answer = await this.#server.send({ method: "POST", path: `${path}?${parameters}`, ...bodyOf(source) });
    return findingsIn(source, answer).filter(({ rule }) => rule === "validation");
  }

  async #update({ source, objectPath }: Target): Promise<readonly Finding[]> {
    const before = this.#taken.get(objectPath);
    const body = encodeJson(patchFrom(before?.content ?? {}, source.content));
    const patch = (contentType: string): Promise<CheckAnswer> =>
      this.#server.send({ method: "PATCH", path: `${objectPath}?${strict}`, contentType, body });
    let answer = await patch("application/strategic-merge-patch+json");
    if (answer.status === 415) {
      // Custom resources have no other patch.
      answer = await patch("application/merge-patch+json");
    }
    if (answer.status < 300) {
      this.#taken.set(objectPath, source);
    }
    const note =
      before === undefined
        ? []
        : [findingAbout(source, "object", "note", `updates the object of ${before.file}:${lineOf(before)}`)];
    return [...note, ...findingsIn(source, answer)];
  }

  /** Makes the namespace of an object when it is not there, unless the settings forbid that: the server refuses then. */
  async #ensureNamespace({ source, namespace: name }: Target): Promise<readonly Finding[]> {
    if (name === undefined || this.#namespaces.has(name) || this.#settings.strictNamespaces) {
      return [];
    }
    const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    const { status } = await this.#server.send({ method: "POST", path: "/api/v1/namespaces", body });
    if (status >= 300) {
      return [];
    }
    this.#namespaces.add(name);
    const message = `the namespace ${name} is not among the documents; the check has made it`;
    return [findingAbout(source, "namespace", "note", message)];
  }
}

/** The place of a document on the server. */
interface Target {
  readonly source: SourceDocument;
  readonly step: ApplyStep;
  /** Absent for objects of the cluster. */
  readonly namespace: string | undefined;
  /** Path of the collection, to which objects are posted. */
  readonly path: string;
  readonly objectPath: string;
}

/** Returns the same text for objects whose order counts: one object twice, and services, which share addresses. */
function conflictKey({ source, objectPath }: Target): string {
  return groupKindOf(source.content) === "/Service" ? "services" : objectPath;
}

function isTaken({ status, body }: CheckAnswer): boolean {
  return status === 409 && textAt(body, "reason") === "AlreadyExists";
}

function isNoError({ level }: Finding): boolean {
  return level !== "error";
}

function collectionPath({ root, resource }: ServedKind, namespace: string | undefined): string {
  return namespace !== undefined
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`
    : `${root}/${resource}`;
}

/** Returns the body of a document as it was written, which shows fields that are given twice; items of lists as JSON. */
function bodyOf({ item, text, content }: SourceDocument): { readonly contentType: string; readonly body: string } {
  return item === undefined
    ? { contentType: "application/yaml", body: text }
    : { contentType: "application/json", body: encodeJson(content) };
}

/** Returns a definition whose versions differ in name only: the webhook that converts between them is not there. */
function withoutConversion(definition: JsonObject): JsonObject {
  const spec = isJsonObject(definition["spec"]) ? definition["spec"] : {};
  return { ...definition, spec: { ...spec, conversion: { strategy: "None" } } };
}
