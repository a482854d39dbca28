import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { CedarValue, EntityUid, PolicyAnswer, PolicyRequest } from '../src/cedar/policy-engine.ts'

// What we rely on of Cedar, as data: each engine behind the port is asked the same cases.

export interface CedarCase {
  readonly name: string
  readonly policies: readonly string[]
  readonly principal?: string
  readonly action?: string
  readonly attrs?: Readonly<Record<string, CedarValue>>
  readonly context?: Readonly<Record<string, CedarValue>>
  readonly decision: 'allow' | 'deny'
  readonly by?: readonly string[]
  readonly errors?: readonly string[]
  readonly refused?: string
}

export const cedarCases: { readonly schema: string; readonly cases: readonly CedarCase[] } = parse(
  readFileSync(new URL('cedar.cases.yaml', import.meta.url), 'utf8'),
)
export const uid = (type: string, id: string): EntityUid => ({ type, id })
export const ada = uid('User', 'ada')
export const plan = uid('Doc', 'plan')

export function requestOf({ principal = 'ada', action = 'view', attrs, context = { n: 1 } }: Partial<CedarCase> = {}): PolicyRequest {
  const document = { owner: { __entity: { ...ada } }, title: 'report', size: 1, tags: ['x', 'y'], ...attrs }
  return {
    ...{ principal: uid('User', principal), action: uid('Action', action), resource: plan, context },
    entities: [
      { uid: ada, attrs: { name: 'Ada' }, parents: [uid('Role', 'agent')] },
      { uid: uid('Role', 'agent'), parents: [uid('Role', 'staff')] },
      { uid: plan, attrs: document, parents: [uid('Folder', 'home')] },
    ],
  }
}

/** An answer as far as a case tells it: the decision, the policies by their ids, the policies that were skipped, and the message of a refusal. */
export function toldBy({ decision, policies, errors }: PolicyAnswer) {
  return {
    decision,
    by: policies.map(({ id }) => id),
    errors: errors.flatMap(({ policy, effect }) => (policy === undefined ? [] : [`${effect} ${policy}`])).sort(),
    refused: errors.flatMap(({ policy, message }) => (policy === undefined ? [message] : [])).join(),
  }
}
