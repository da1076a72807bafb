import type { Command } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { readObjects } from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, listAt, objectAt } from "@gatehouse/envelopes/json";
import type { rbacV1 } from "@gatehouse/envelopes/types";
import { buildReview, type RequestKinds } from "../../../toolkit/testing/build-review.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import { outcomeOfDefinitions } from "../definitions/definition-outcome.js";
import { formatExplanation } from "../explain/format-explanation.js";
import { appliedPolicies } from "../policies/policy-folder.js";
import { accessOfRules, outcomeOf } from "../policies/policy-outcome.js";
import { readFolderArguments } from "./folder-arguments.js";

const group = "Request";

const flags = defineFlags({
  object: { type: "path", group, help: "`file` with the object as it is sent." },
  "old-object": { type: "path", group, help: "`file` with the object as it is stored, for updates and deletions." },
  operation: {
    type: "string",
    choices: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
    group,
    help: "Default: UPDATE with both objects, DELETE with the old one alone, CREATE otherwise.",
  },
  resource: {
    type: "string",
    group,
    help: "`resource` of the request, such as deployments.v1.apps for a Scale. Default: that of the kind.",
  },
  subresource: { type: "string", group, help: "Subresource, such as scale." },
  namespace: { type: "path", group, help: "`file` with the Namespace object. Default: one without labels." },
  params: {
    type: "path",
    group,
    help: "`file` with the objects that bindings find as parameters. Default: those beside the policy.",
  },
  user: { type: "string", default: "somebody", group, help: "`name` of the user." },
  group: { type: "stringList", group, help: "`groups` of the user." },
  roles: {
    type: "path",
    group,
    help: "`file` with Roles or ClusterRoles: the rights of the user in all namespaces, for expressions that ask the authorizer. Default: none.",
  },
});

/** The command `gatehouse-policy explain POLICY`, which tells why policies and definitions allow or deny one object. */
export const explainCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-policy explain",
      operands: ["POLICY"],
      requiredFlags: ["--object FILE"],
      summary:
        "Tells why the policies and the definitions of custom resources in a file or folder allow or deny one object: each expression, and below it the value of each sub-expression.",
      flags,
    };
    const given = await readFolderArguments(form, argv, io);
    if (given === undefined) {
      return 0;
    }
    const { operand, folder, values } = given;
    if (folder.policies.length + folder.definitions.length === 0) {
      const text = "there is no ValidatingAdmissionPolicy and no CustomResourceDefinition";
      throw new ConfigurationError(operand, [problemAt("path", text)]);
    }
    const params = values.params === undefined ? folder.objects : await objectsOf(values.params);
    const authorizer = accessOfRules(await rulesOf(values.roles));
    const { review, namespaces } = await readGiven(values, new PolicyObjects(folder.objects));
    const explanations: string[] = [];
    for (const definition of folder.definitions) {
      const judged = outcomeOfDefinitions([definition], review, false);
      if (judged !== undefined) {
        explanations.push(formatExplanation(definition, judged.outcome));
      }
    }
    for (const found of folder.policies) {
      const outcome = await outcomeOf(appliedPolicies([found]), {
        review,
        objects: [...params, ...namespaces],
        authorizer,
      });
      explanations.push(formatExplanation(found, outcome));
    }
    if (explanations.length === 0) {
      throw new ConfigurationError(operand, [
        problemAt("path", "there is no policy, and no definition of the kind of the object"),
      ]);
    }
    io.print(explanations.join("\n\n"));
    return 0;
  },
};

interface Given {
  readonly review: JsonObject;
  /** The Namespace object, if one is given. */
  readonly namespaces: readonly JsonObject[];
}

async function readGiven(values: FlagValues<typeof flags>, kinds: RequestKinds): Promise<Given> {
  const [object, oldObject, namespaceObject] = await Promise.all([
    oneObject("--object", values.object),
    oneObject("--old-object", values["old-object"]),
    oneObject("--namespace", values.namespace),
  ]);
  if (object === undefined && oldObject === undefined) {
    throw new ConfigurationError("flags", [problemAt("--object", "is required, or --old-object for a deletion")]);
  }
  const { operation, resource, subresource, user, group: groups } = values;
  const namespace = namespaceObject && String(objectAt(namespaceObject, "metadata")["name"] ?? "");
  const shownNamespace = objectAt((object ?? oldObject) as JsonObject, "metadata")["namespace"];
  try {
    const review = buildReview(
      {
        ...(object && { object }),
        ...(oldObject && { oldObject }),
        ...(operation !== undefined && { operation }),
        ...(resource !== undefined && { resource }),
        ...(subresource !== undefined && { subResource: subresource }),
        ...(namespace !== undefined && shownNamespace === undefined && { namespace }),
        userInfo: { username: user, groups: [...groups] },
      },
      kinds,
    );
    return { review, namespaces: namespaceObject === undefined ? [] : [namespaceObject] };
  } catch (error) {
    if (error instanceof BadObjectError) {
      throw new ConfigurationError("--object", [problemAt(values.object ?? "", error.message)]);
    }
    throw error;
  }
}

async function oneObject(flag: string, file: string | undefined): Promise<JsonObject | undefined> {
  if (file === undefined) {
    return undefined;
  }
  const objects = await objectsOf(file);
  if (objects.length !== 1) {
    throw new ConfigurationError("flags", [problemAt(flag, `${file} must have one object, it has ${objects.length}`)]);
  }
  return objects[0];
}

async function objectsOf(file: string): Promise<readonly JsonObject[]> {
  return (await readObjects(file)).map(({ content }) => content);
}

async function rulesOf(file: string | undefined): Promise<readonly rbacV1.PolicyRule[]> {
  const roles = file === undefined ? [] : await objectsOf(file);
  return roles.flatMap((role) => listAt(role, "rules")) as unknown as rbacV1.PolicyRule[];
}
