import type { Finding, SourceDocument } from "@gatehouse/component-base/manifests";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { conditionOfType, isJsonObject, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { findingAbout, findingsIn, isStrictRefusal } from "./answer-findings.js";
import { groupKindOf, type StepDocuments } from "./apply-order.js";
import type { CheckAnswer, CheckServer } from "./check-server.js";
import { missingKindMessage } from "./missing-kind.js";
import { patchFrom } from "./patch-from.js";
import { type ServedKind, ServedKinds } from "./served-kinds.js";
import { waitUntil } from "./wait-until.js";

/** Settings of a check that decide about single documents. */
export interface DocumentSettings {
  /** Namespace of objects that name none. */
  readonly namespace: string;
  /** True if objects in namespaces that nothing makes are refused. */
  readonly strictNamespaces: boolean;
}

/** The verdict on a document: its findings, or the reason why nobody can judge it. */
export interface DocumentVerdict {
  readonly findings: readonly Finding[];
  readonly missingKind?: string;
}

/** Parameters of each write: an unknown field is refused, as `kubectl apply` asks for it. */
const strict = "fieldValidation=Strict&fieldManager=gatehouse-check";
const dryRun = "dryRun=All";

/** Puts documents to a server, one after another. What the server takes is there for those that follow. */
export class ManifestCheck {
  readonly #server: CheckServer;
  readonly #settings: DocumentSettings;
  #kinds: ServedKinds;
  readonly #namespaces: Set<string>;
  /** The documents that were taken, by the path of their object. */
  readonly #taken = new Map<string, SourceDocument>();

  private constructor(server: CheckServer, settings: DocumentSettings, kinds: ServedKinds, namespaces: Set<string>) {
    this.#server = server;
    this.#settings = settings;
    this.#kinds = kinds;
    this.#namespaces = namespaces;
  }

  static async begin(server: CheckServer, settings: DocumentSettings): Promise<ManifestCheck> {
    const kinds = await ServedKinds.discover((request) => server.send(request));
    const { body } = await server.send({ path: "/api/v1/namespaces" });
    const names = listAt(body, "items").map((namespace) => textAt(namespace, "metadata", "name"));
    return new ManifestCheck(server, settings, kinds, new Set(names));
  }

  /** Puts the documents of a step to the server, and waits until what they define is in force. */
  async judgeStep({ step, documents }: StepDocuments): Promise<ReadonlyMap<SourceDocument, DocumentVerdict>> {
    const verdicts = new Map<SourceDocument, DocumentVerdict>();
    for (const document of documents) {
      verdicts.set(document, await this.#judge(document, step === "webhooks"));
    }
    const taken = documents.filter((document) => verdicts.get(document)?.findings.every(isNoError));
    if (step === "definitions") {
      for (const definition of taken) {
        const findings = await this.#untilServed(definition);
        verdicts.set(definition, { findings: [...(verdicts.get(definition)?.findings ?? []), ...findings] });
      }
    }
    if (step === "limits") {
      await this.#untilQuotasCount(taken);
    }
    return verdicts;
  }

  async #judge(source: SourceDocument, isNotStored: boolean): Promise<DocumentVerdict> {
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
      return { findings: [findingAbout(source, "kind", "error", message)], missingKind: message };
    }
    const namespace = kind.isNamespaced ? textAt(content, "metadata", "namespace") || this.#settings.namespace : "";
    const ofNamespace = kind.isNamespaced ? await this.#ensureNamespace(source, namespace) : [];
    if (groupKindOf(content) === "/Pod") {
      await this.#untilServiceAccount(namespace);
    }
    const path = collectionPath(kind, namespace);
    const findings = isNotStored ? await this.#tryOut(source, path) : await this.#write(source, path);
    if (groupKindOf(content) === "/Namespace" && findings.every(isNoError)) {
      this.#namespaces.add(textAt(content, "metadata", "name"));
    }
    return { findings: [...ofNamespace, ...findings].map((finding) => withoutGeneratedName(finding, content)) };
  }

  /** Creates an object, or updates it when a document has created it before. */
  async #write(source: SourceDocument, path: string): Promise<readonly Finding[]> {
    const { content } = source;
    const name = textAt(content, "metadata", "name");
    const objectPath = `${path}/${encodeURIComponent(name)}`;
    const isConverted =
      isSet(content, "spec", "conversion", "webhook") && groupKindOf(content).endsWith("/CustomResourceDefinition");
    const answer = await this.#create(source, path, isConverted ? dryRun : "");
    if (answer.status === 409 && textAt(answer.body, "reason") === "AlreadyExists" && name !== "") {
      return await this.#update(source, objectPath);
    }
    if (isStrictRefusal(answer)) {
      return [...findingsIn(source, answer), ...(await this.#furtherProblems(source, path))];
    }
    if (answer.status < 300) {
      this.#taken.set(objectPath, source);
      if (isConverted) {
        await this.#server.send({ method: "POST", path, body: encodeJson(withoutConversion(content)) });
      }
    }
    return findingsIn(source, answer);
  }

  #create(source: SourceDocument, path: string, parameters: string): Promise<CheckAnswer> {
    return this.#server.send({ method: "POST", path: `${path}?${strict}&${parameters}`, ...bodyOf(source) });
  }

  /** Has the server judge an object that it must not act upon: it would call webhooks and servers that are not there. */
  async #tryOut(source: SourceDocument, path: string): Promise<readonly Finding[]> {
    return findingsIn(source, await this.#create(source, path, dryRun));
  }

  /** Returns the problems of values in an object whose fields are refused, so that one check tells all. */
  async #furtherProblems(source: SourceDocument, path: string): Promise<readonly Finding[]> {
    const parameters = `fieldValidation=Ignore&${dryRun}`;
    const answer = await this.#server.send({ method: "POST", path: `${path}?${parameters}`, ...bodyOf(source) });
    return findingsIn(source, answer).filter(({ rule }) => rule === "validation");
  }

  async #update(source: SourceDocument, objectPath: string): Promise<readonly Finding[]> {
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
        : [findingAbout(source, "object", "note", `updates the object of ${before.file}:${before.line}`)];
    return [...note, ...findingsIn(source, answer)];
  }

  /** Makes a namespace that is not there, unless the settings forbid that: then the server refuses the object. */
  async #ensureNamespace(source: SourceDocument, name: string): Promise<readonly Finding[]> {
    if (this.#namespaces.has(name) || this.#settings.strictNamespaces) {
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

  /** Waits for the `default` service account of a namespace, without which no pod is taken. */
  async #untilServiceAccount(namespace: string): Promise<void> {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/default`;
    if (this.#namespaces.has(namespace) && !this.#taken.has(path)) {
      await waitUntil(
        `the namespace ${namespace} has no service account`,
        async () => (await this.#server.send({ path })).status === 200,
      );
    }
  }

  /** Waits until the kinds of a definition are served; resolves to the reason when they never will be. */
  async #untilServed(source: SourceDocument): Promise<readonly Finding[]> {
    const { content } = source;
    const name = textAt(content, "metadata", "name");
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(name)}`;
    let refusal: JsonObject | undefined;
    await waitUntil(`the definition ${name} is not served`, async () => {
      const { body } = await this.#server.send({ path });
      const conditions = listAt(body, "status", "conditions");
      refusal = ["NamesAccepted", "KubernetesAPIApprovalPolicyConformant"]
        .map((type) => conditionOfType(conditions, type))
        .find((condition) => textAt(condition, "status") === "False");
      return refusal !== undefined || textAt(conditionOfType(conditions, "Established"), "status") === "True";
    });
    if (refusal !== undefined) {
      return [findingAbout(source, "object", "warning", `is stored and not served: ${textAt(refusal, "message")}`)];
    }
    const kind = textAt(content, "spec", "names", "kind");
    const versions = listAt(content, "spec", "versions").filter(
      (version) => isJsonObject(version) && version["served"] === true,
    );
    await waitUntil(`the kinds of ${name} are not in the discovery`, async () => {
      this.#kinds = await ServedKinds.discover((request) => this.#server.send(request));
      return versions.every((version) =>
        this.#kinds.find(`${textAt(content, "spec", "group")}/${textAt(version, "name")}`, kind),
      );
    });
    return [];
  }

  /** Waits until the controller has counted for each quota: before that, a quota that is new refuses everything. */
  async #untilQuotasCount(documents: readonly SourceDocument[]): Promise<void> {
    for (const { content } of documents.filter((document) => groupKindOf(document.content) === "/ResourceQuota")) {
      const namespace = textAt(content, "metadata", "namespace") || this.#settings.namespace;
      const name = textAt(content, "metadata", "name");
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/resourcequotas/${encodeURIComponent(name)}`;
      await waitUntil(`the quota ${name} has no status`, async () => {
        const { status, body } = await this.#server.send({ path });
        return status !== 200 || isSet(body, "status", "hard") || !isSet(body, "spec", "hard");
      });
    }
  }
}

function isNoError({ level }: Finding): boolean {
  return level !== "error";
}

function collectionPath({ root, resource, isNamespaced }: ServedKind, namespace: string): string {
  return isNamespaced ? `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}` : `${root}/${resource}`;
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

/** Replaces the name that the server has generated, which is another one each time. */
function withoutGeneratedName(finding: Finding, content: JsonObject): Finding {
  const prefix = textAt(content, "metadata", "name") === "" ? textAt(content, "metadata", "generateName") : "";
  if (!/^[a-z0-9.-]+$/.test(prefix)) {
    return finding;
  }
  // Names are made of letters, digits, dots and dashes; of these, expressions read only the dot as something else.
  const generated = new RegExp(`${prefix.replaceAll(".", "\\.")}[a-z0-9]{5}\\b`, "g");
  return { ...finding, message: finding.message.replaceAll(generated, `${prefix}xxxxx`) };
}
