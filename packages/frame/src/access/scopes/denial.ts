import type { Can, Reason } from '../../decision/decision.ts'
import { malformedRecord, policy, unknownReason } from '../../decision/fault.ts'
import type { LoadResult, Unusable } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { asText, type Fields } from '../link.ts'
import { type Findings, findingsOf, type Ids, loadedFor, nameIn, type SubjectAtScope } from './findings.ts'
import { isOf } from './flaws.ts'
import type { ScopedAsked } from './need.ts'
import type { ScopeFacts } from './scope-nodes.ts'
import { askedNodes } from './scope-nodes.ts'
import type { Scoped } from './scoped.ts'
import { isLive } from './situation.ts'

/** May this subject do this at this scope? */
export async function can(declared: Scoped, sources: Sources, asked: ScopedAsked): Promise<Can> {
  return verdictOf(declared, await findingsOf(declared, sources, asked))
}

/** The answer, and why it is no. */
export function verdictOf(declared: Scoped, findings: Findings): Can {
  return findings.grants.length > 0 ? { allowed: true } : { allowed: false, reason: reasonOf(declared, findings) }
}

/** The result of reading by names. Parts that were not read are undefined. */
interface Read {
  readonly ids: Ids
  readonly unusable: readonly Unusable[]
  readonly subject?: LoadResult<Fields> | undefined
  readonly scope?: ScopeFacts | undefined
}

/** Why nothing counts, because a name stands for nothing, or what it stands for is not there. */
export function unknownThere(declared: Scoped, asked: ScopedAsked, { ids, unusable, subject: result, scope }: Read): Reason | undefined {
  const { chain, subject } = declared
  const last = chain.levels.findLast(({ type }) => asked[type] !== undefined)
  const bare = { what: last?.entity.name ?? '', name: last && asText(asked[last.type]), id: ids.path?.[0], result: undefined }
  const scopes = scope === undefined ? [bare] : askedNodes(chain, scope)
  return unknownReason(
    unusable,
    [{ what: subject.entity.name, name: nameIn(declared, asked)?.text, id: ids.subject, result }, ...scopes],
    ' there',
  )
}

/** That an item has not the values with which it counts. */
export function inactiveWords({ where }: Scoped, entity: string, step: string, item: Fields): string {
  const [name = ''] = Object.entries(where[entity] ?? {}).find(([own, value]) => item[own] !== value) ?? []
  return item[name] === undefined ? `The ${step} has no ${name}.` : `The ${step} is ${item[name]}.`
}

/** The reason by which an item denies, with any roles; undefined if it does not. */
function refusalOf(declared: Scoped, entity: string, step: string, result: LoadResult<Fields> | undefined): Reason | undefined {
  if (result?.state !== 'found' || isLive(declared, entity, result.item)) return undefined
  const { code = `Inactive${entity}`, inactive } = declared.words[entity] ?? {}
  return policy(code, inactive?.(result.item) ?? inactiveWords(declared, entity, step, result.item))
}

export const subjectRefusal = (declared: Scoped, subject: LoadResult<Fields> | undefined): Reason | undefined =>
  refusalOf(declared, declared.subject.entity.name, declared.subject.field, subject)

export function scopeRefusal(declared: Scoped, { nodes }: ScopeFacts): Reason | undefined {
  const { levels } = declared.chain
  for (const [index, node] of nodes.entries()) {
    const reason = refusalOf(declared, levels[index]?.entity.name ?? '', levels[index]?.type ?? '', node)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Why nobody has a permission at a scope: it is not there, or denies. */
export function scopeReason(declared: Scoped, scope: ScopeFacts): Reason | undefined {
  return unknownReason([], askedNodes(declared.chain, scope), ' there') ?? scopeRefusal(declared, scope)
}

/** The reason for a denial that no role can change. */
function refusal(declared: Scoped, { situation, isMet }: SubjectAtScope): Reason | undefined {
  if (situation === undefined) return undefined
  const { subject, scope } = situation
  const reason = subjectRefusal(declared, subject) ?? scopeRefusal(declared, scope)
  if (reason !== undefined) return reason
  const { entity, field } = declared.subject
  if (subject.state === 'found' && !isOf(declared, subject.item, scope.path[0]))
    return policy(`Foreign${entity.name}`, `The ${field} is of another ${declared.chain.levels[0]?.type}.`)
  return isMet ? undefined : declared.need?.refusal(scope.path)
}

/** Why a list has no items, if what was asked about is not there or denies. A list that is just empty has no reason. */
export function closedReason(declared: Scoped, at: SubjectAtScope): Reason | undefined {
  return unknownThere(declared, at.asked, { ...at, ...at.situation }) ?? refusal(declared, at)
}

/** Why no role counts at a scope: faults before names, names before policy (spec rule 19). Undefined if a role counts. */
export function denialAtScope(declared: Scoped, at: SubjectAtScope): Reason | undefined {
  if (loadedFor(at).some(({ state }) => state === 'malformed')) return malformedRecord
  const reason = closedReason(declared, at)
  if (reason !== undefined) return reason
  const { judged } = at
  const { name, capital } = declared.assignment
  if (judged.length === 0) return policy(`No${capital}`, `The ${declared.subject.field} has no ${name} in the scope chain.`)
  const [first] = judged.flatMap(({ flaw }) => flaw ?? [])
  const isEffective = judged.some(({ flaw }) => flaw === undefined)
  return isEffective || first === undefined ? undefined : policy(first.code, first.message)
}

/** Why nothing allows. */
function reasonOf(declared: Scoped, findings: Findings): Reason {
  const words = declared.patterns.wordsOf(findings.permission)
  const nothing = policy('NoGrant', `No role that the ${declared.subject.field} has in the scope chain grants ${words}.`)
  return denialAtScope(declared, findings) ?? nothing
}
