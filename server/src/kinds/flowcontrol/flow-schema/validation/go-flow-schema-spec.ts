import { goPointer, goSlice, goStruct, goTexts, listAsSent } from "@gatehouse/apiserver/go";
import { booleanAt, integerAt, type JsonValue, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";

/** Returns the `spec` of a flow schema as Go prints it. */
export function goFlowSchemaSpec(spec: JsonValue): string {
  const level = goQuote(textAt(spec, "priorityLevelConfiguration", "name"));
  return goStruct("flowcontrol.FlowSchemaSpec", {
    PriorityLevelConfiguration: goStruct("flowcontrol.PriorityLevelConfigurationReference", { Name: level }),
    MatchingPrecedence: String(integerAt(spec, "matchingPrecedence")),
    DistinguisherMethod: goPointer("flowcontrol.FlowDistinguisherMethod", valueAt(spec, "distinguisherMethod")),
    Rules: goItems("PolicyRulesWithSubjects", spec, "rules", goPolicyRules),
  });
}

function goPolicyRules(rules: JsonValue): string {
  return goStruct("flowcontrol.PolicyRulesWithSubjects", {
    Subjects: goItems("Subject", rules, "subjects", goSubject),
    ResourceRules: goItems("ResourcePolicyRule", rules, "resourceRules", goResourceRule),
    NonResourceRules: goItems("NonResourcePolicyRule", rules, "nonResourceRules", goNonResourceRule),
  });
}

function goSubject(subject: JsonValue): string {
  return goStruct("flowcontrol.Subject", {
    Kind: goQuote(textAt(subject, "kind")),
    User: goPointer("flowcontrol.UserSubject", valueAt(subject, "user")),
    Group: goPointer("flowcontrol.GroupSubject", valueAt(subject, "group")),
    ServiceAccount: goPointer("flowcontrol.ServiceAccountSubject", valueAt(subject, "serviceAccount")),
  });
}

function goResourceRule(rule: JsonValue): string {
  return goStruct("flowcontrol.ResourcePolicyRule", {
    Verbs: goTexts("string", listAsSent(objectAt(rule), "verbs")),
    APIGroups: goTexts("string", listAsSent(objectAt(rule), "apiGroups")),
    Resources: goTexts("string", listAsSent(objectAt(rule), "resources")),
    ClusterScope: String(booleanAt(rule, "clusterScope")),
    Namespaces: goTexts("string", listAsSent(objectAt(rule), "namespaces")),
  });
}

function goNonResourceRule(rule: JsonValue): string {
  return goStruct("flowcontrol.NonResourcePolicyRule", {
    Verbs: goTexts("string", listAsSent(objectAt(rule), "verbs")),
    NonResourceURLs: goTexts("string", listAsSent(objectAt(rule), "nonResourceURLs")),
  });
}

function goItems(type: string, holder: JsonValue, name: string, item: (value: JsonValue) => string): string {
  const items = listAsSent(objectAt(holder), name);
  return goSlice(`flowcontrol.${type}`, items, () => (items ?? []).map(item));
}
