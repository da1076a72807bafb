import assert from "node:assert/strict";
import { test } from "node:test";
import { version } from "../version.js";
import { formatReport, type ReportFormat } from "./format-report.js";
import type { ManifestReport } from "./manifest-report.js";

const file = "apps/we b.yaml";

const report: ManifestReport = {
  tool: "gatehouse check",
  rules: [{ id: "validation", title: "Valid values", description: "Finds values that are refused." }],
  checked: [
    {
      file,
      line: 1,
      object: "Deployment shop/web",
      findings: [
        { file, line: 7, rule: "validation", level: "error", message: 'spec.replicas: "<-2>" & more:\nmust be, 100%' },
        { file, line: 1, rule: "validation", level: "warning", message: "is old" },
        { file, line: 1, rule: "validation", level: "note", message: "is new" },
      ],
    },
    { file, line: 20, object: "ConfigMap shop/a", findings: [] },
  ],
  skipped: [{ file: "kustomization.yaml", line: 1, reason: "kustomize builds from it" }],
};

const expected: Readonly<Record<Exclude<ReportFormat, "sarif">, string>> = {
  text: `apps/we b.yaml:7: error: Deployment shop/web: validation: spec.replicas: "<-2>" & more:
must be, 100%
apps/we b.yaml:1: warning: Deployment shop/web: validation: is old
apps/we b.yaml:1: note: Deployment shop/web: validation: is new
kustomization.yaml:1: skipped: kustomize builds from it
2 objects checked, 1 would be refused, 1 document skipped`,
  json: `{
  "tool": "gatehouse check",
  "totals": {
    "checked": 2,
    "refused": 1,
    "skipped": 1
  },
  "documents": [
    {
      "file": "apps/we b.yaml",
      "line": 1,
      "object": "Deployment shop/web",
      "verdict": "refused",
      "findings": [
        {
          "line": 7,
          "level": "error",
          "rule": "validation",
          "message": "spec.replicas: \\"<-2>\\" & more:\\nmust be, 100%"
        },
        {
          "line": 1,
          "level": "warning",
          "rule": "validation",
          "message": "is old"
        },
        {
          "line": 1,
          "level": "note",
          "rule": "validation",
          "message": "is new"
        }
      ]
    },
    {
      "file": "apps/we b.yaml",
      "line": 20,
      "object": "ConfigMap shop/a",
      "verdict": "accepted",
      "findings": []
    },
    {
      "file": "kustomization.yaml",
      "line": 1,
      "verdict": "skipped",
      "reason": "kustomize builds from it"
    }
  ]
}`,
  junit: `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="gatehouse check" tests="3" failures="1" errors="0" skipped="1">
  <testcase classname="apps/we b.yaml" name="Deployment shop/web"><failure type="validation" message="spec.replicas: &quot;&lt;-2&gt;&quot; &amp; more:&#10;must be, 100%">apps/we b.yaml:7</failure><system-out>apps/we b.yaml:1: warning: validation: is old
apps/we b.yaml:1: note: validation: is new
</system-out></testcase>
  <testcase classname="apps/we b.yaml" name="ConfigMap shop/a"></testcase>
  <testcase classname="kustomization.yaml" name="document"><skipped message="kustomize builds from it">kustomization.yaml:1</skipped></testcase>
</testsuite>`,
  github: `::error file=apps/we b.yaml,line=7,title=validation::Deployment shop/web: spec.replicas: "<-2>" & more:%0Amust be, 100%25
::warning file=apps/we b.yaml,line=1,title=validation::Deployment shop/web: is old
::notice file=apps/we b.yaml,line=1,title=validation::Deployment shop/web: is new
::notice file=kustomization.yaml,line=1,title=skipped::kustomize builds from it`,
};

for (const [format, text] of Object.entries(expected)) {
  test(`a report as ${format} has its findings, its skipped documents and its verdicts`, () => {
    assert.equal(formatReport(report, format as ReportFormat), text);
  });
}

test("a report as sarif names the rule, the line and the level of each finding", () => {
  const text = { text: "Finds values that are refused." };
  const skippedText = { text: "Names documents that are no manifests, or that only another program can read." };
  const result = (ruleId: string, level: string, message: string, uri: string, startLine: number) => ({
    ruleId,
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  });
  const uri = "apps/we%20b.yaml";
  assert.deepEqual(JSON.parse(formatReport(report, "sarif")), {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "gatehouse check",
            version,
            rules: [
              {
                id: "validation",
                name: "validation",
                shortDescription: { text: "Valid values" },
                fullDescription: text,
                help: text,
              },
              {
                id: "skipped",
                name: "skipped",
                shortDescription: { text: "Documents that were not checked" },
                fullDescription: skippedText,
                help: skippedText,
              },
            ],
          },
        },
        results: [
          result("validation", "error", 'Deployment shop/web: spec.replicas: "<-2>" & more:\nmust be, 100%', uri, 7),
          result("validation", "warning", "Deployment shop/web: is old", uri, 1),
          result("validation", "note", "Deployment shop/web: is new", uri, 1),
          result("skipped", "note", "The document was not checked: kustomize builds from it.", "kustomization.yaml", 1),
        ],
      },
    ],
  });
});
