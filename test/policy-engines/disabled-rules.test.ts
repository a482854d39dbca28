import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DecisionCase, decisionCases } from '../../packages/designs/test/authorization-cases.ts'
import { bundle } from '../bundle.js'
import { patching, type Revert } from '../campaign/reverts/revert.ts'
import { runProcess } from '../campaign/run-process.ts'
import { someOf } from '../properties/depth.ts'

// Each rule of decisions is disabled in a bundle, and never in the sources: a case must fail then.

const deciding = 'packages/designs/src/authorization/deciding'
const verdict = `${deciding}/verdict.ts`
const request = 'packages/designs/src/authorization/policies/policy-request.ts'

/** A rule, the text that has it, and the text without it. */
type Rule = readonly [name: string, file: string, text: string, disabled: string, failing: string]

const rules: readonly Rule[] = [
  ['a user has a grant', verdict, "if (grant?.state !== 'found') return noGrant", '', 'no grant in the tenant'],
  ['the tenant is active', verdict, "tenantItem.item.status !== 'active'", 'false', 'a suspended tenant'],
  ['user and tenant are there', verdict, 'if (unknown !== undefined) return unknown', '', 'an unknown tenant'],
  [
    'a malformed item is a fault',
    verdict,
    "[userItem, tenantItem, grant].some((each) => each?.state === 'malformed')",
    'false',
    'a malformed grant',
  ],
  [
    'a malformed role is a fault',
    verdict,
    "[...held, kept, other?.userItem, other?.grant].some((each) => each?.state === 'malformed')",
    'false',
    'a malformed role beside one that permits',
  ],
  ['a role counts in its scope', verdict, 'role.item.scope === scope ?', 'true ?', 'a global role in a grant gives nothing'],
  [
    'a role that is asked about is named',
    verdict,
    "if (resource.type !== 'Role') return resource",
    'if (true) return resource',
    'a role is asked about by its id',
  ],
  ['a guardrail that fails denies', verdict, "id === undefined || effect === 'forbid'", 'id === undefined', 'a guardrail that fails'],
  [
    'what does not fit is a fault',
    verdict,
    "id === undefined || effect === 'forbid'",
    "id !== undefined && effect === 'forbid'",
    'an action that the schema has not',
  ],
  ['a forbid is told as one', verdict, 'if (first === undefined) return', 'if (true) return', 'an archived ticket'],
  [
    'the tenant of the context is that of the question',
    verdict,
    "Object.hasOwn(context, 'tenant')",
    'false',
    'a context that names the tenant',
  ],
  [
    'global roles are parents',
    request,
    "globalRoles.map((id) => ({ type: 'GlobalRole', id }))",
    '[].map((id) => ({ type: String(id), id }))',
    'a global role counts beside a grant',
  ],
  [
    'roles of the grant are parents',
    request,
    "roles.map((id) => ({ type: 'Role', id }))",
    '[].map((id) => ({ type: String(id), id }))',
    'a role of the grant counts',
  ],
  [
    'a renamed role is not another one',
    `${deciding}/situation.ts`,
    'result.item.roleId !== roleId',
    'false',
    'a role gives nothing by a name that another one has by now',
  ],
  [
    'what is being deleted grants nothing',
    'packages/frame/src/decision/record.ts',
    'stored.deleting !== undefined && stored.deleting !== null',
    'false',
    'a role that is being deleted gives nothing',
  ],
  [
    'numbers are exact',
    'packages/frame/src/cedar/cedar-value.ts',
    'Number.isSafeInteger(value)',
    'Number.isInteger(value)',
    'a number that would be rounded',
  ],
]

const cases = decisionCases()

/** The cases that fail without a rule, of those that are asked. */
async function failing(rule: Revert | undefined, asked: (one: DecisionCase) => boolean): Promise<readonly string[]> {
  const { change, unused } = patching(rule ?? { name: 'none', patches: [], shownBy: [] })
  const file = await bundle(join(import.meta.dirname, 'run-decisions.ts'), change)
  expect(unused()).toEqual([])
  const names: string[] = []
  expect(
    await runProcess(file, { ...cases, cases: cases.cases.filter(asked) }, 120_000, (name) => names.push(String(name))),
  ).toBeUndefined()
  return names
}

test('no case fails with all rules', async () => expect(await failing(undefined, () => true)).toEqual([]))

test.each(someOf(rules, 3))('without the rule that %s a case fails', async (name, file, text, reverted, expected) => {
  const revert = { name, patches: [{ file, text, reverted }], shownBy: [expected] }
  expect(await failing(revert, (one) => one.name === expected)).toEqual([expected])
})
