import assert from "node:assert/strict";
import { test } from "node:test";
import { compileExpression, storedExpressions } from "../cel/index.js";
import { admissionDeclarations } from "./admission-declarations.js";

const words = "'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z'";

/** The costs of expressions in admission, as kube-apiserver v1.29 counts them: one for each call of a library. */
const costs: Readonly<Record<string, number>> = {
  [`${words}.split(',').isSorted()`]: 2,
  [`${words}.lowerAscii().upperAscii().trim() == 'x'`]: 4,
  [`${words}.replace('a', 'b').find('b') == 'b'`]: 3,
  [`${words}.split(',').join('') == 'x'`]: 3,
};

for (const [source, cost] of Object.entries(costs)) {
  test(`an admission expression costs one for each call of a library: ${source.replace(words, "'...'")}`, () => {
    const declarations = admissionDeclarations({ hasParams: false, hasAuthorizer: false }, "stored");
    const inAdmission = compileExpression(source, declarations).evaluate({}, 1_000_000);
    const inRules = compileExpression(source, storedExpressions).evaluate({}, 1_000_000);
    assert.deepEqual(inAdmission, { value: inRules.value, cost });
    assert.ok(inRules.cost > cost);
  });
}
