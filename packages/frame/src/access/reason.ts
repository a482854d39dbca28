import type { Evidence, Reason } from '../decision/decision.ts'
import { evidence } from '../decision/evidence.ts'
import { malformedRecord, policy, unknownReason } from '../decision/fault.ts'
import type { Name } from '../decision/lookup.ts'
import type { LoadResult } from '../decision/record.ts'
import type { Declared, Node } from './declared.ts'
import { type Finding, type Link, textOf } from './finding.ts'

/** A name of a question: a subject's or a place's, with what was found by it. */
export interface Named {
  readonly node: Node
  readonly name: Name
  /** Undefined if the name stands for nothing. */
  readonly id: string | undefined
  /** Undefined if it was not read. */
  readonly link: Link | undefined
}

/** Splits `MemberOfTeam` into `member of team`. */
export const words = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()

/** Why no grant would allow it: something that was asked about is not there, or does not count. Faults come before names (spec rule 19). */
export function closedReason(names: readonly LoadResult<unknown>[], asked: readonly Named[]): Reason | undefined {
  const all = asked.map(({ node, name, id, link }) => ({ what: node.entity.name, name: name.text, id, result: link?.result }))
  const unknown = unknownReason(names, all)
  const inactive = asked.find(({ link }) => link?.state === 'inactive')
  if (unknown !== undefined || inactive === undefined) return unknown
  const { name } = inactive.node.entity
  return policy(`Inactive${name}`, `The ${words(name)} is not ${conditionWords(inactive.link)}.`)
}

const conditionWords = (link: Link | undefined): string => (link?.rests.includes('status') === true ? 'active' : 'as it must be')

const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The attributes that an answer rests on, as they were read; null for one that is absent. */
function asRead({ result, rests }: Link): Readonly<Record<string, string | number | boolean | null>> {
  if (result.state !== 'found') return {}
  const { item } = result
  return Object.fromEntries(rests.map((name) => [name, isScalar(item[name]) ? item[name] : null]))
}

/** Why nothing allows: `loaded` are all records that might have. */
export function denial(
  { grants, needs, subject }: Declared,
  closed: Reason | undefined,
  finding: Finding | undefined,
  action: string,
  loaded: readonly LoadResult<unknown>[],
): Reason {
  if (closed?.kind === 'fault' || loaded.some(({ state }) => state === 'malformed')) return malformedRecord
  if (closed !== undefined) return closed
  const who = words(subject.entity.name)
  const [unmet] = needs.filter((_, index) => finding?.needed[index]?.some(({ actions }) => actions.includes(action)) !== true)
  if (unmet !== undefined)
    return policy(`No${unmet.ties[0].entity.name}`, `The ${who} has no ${words(unmet.ties[0].entity.name)} here, which this needs.`)
  const [only, ...more] = grants
  const [tie] = only?.ties ?? []
  if (tie === undefined || more.length > 0) return policy('NoGrant', `Nothing that the ${who} has allows this here.`)
  return policy(`No${tie.entity.name}`, `The ${who} has no ${words(tie.entity.name)} here that allows this.`)
}

const sentences = {
  found: 'exists',
  missing: 'does not exist',
  deleting: 'is being deleted',
  malformed: 'is malformed',
  expired: 'has ended',
  inactive: 'does not count now',
  denies: 'does not allow this',
} as const satisfies Record<Evidence['state'], string>

/** An item of a chain as it is told. */
export function told(link: Link, state: Evidence['state']): Evidence {
  const { entity, id, end } = link
  const as = asRead(link)
  const step = words(entity.name)
  const values = Object.entries(as).filter(([name, value]) => value !== null && name !== 'version')
  const having = values.length === 0 ? '' : `, with ${values.map(([name, value]) => `${name} ${value}`).join(' and ')}`
  const until = state === 'expired' && end !== undefined ? ` (${end.text})` : ''
  return evidence(
    step,
    entity,
    id,
    state,
    `The ${step} ${sentences[state]}${until}${state === 'found' || state === 'denies' ? having : ''}.`,
    Object.keys(as).length === 0 ? undefined : as,
  )
}

/** What is missing for an action. */
export function missing({ routes }: Declared, { broken, chains, needed }: Finding, action: string): readonly Evidence[] {
  const denying = [chains, ...needed].flatMap((all) => all.filter(({ actions }) => !actions.includes(action)))
  // Several ways may lead through one item.
  const once = new Map(broken.map((link) => [`${link.entity.name} ${textOf(link.id)}`, link]))
  const found = [...[...once.values()].map((link) => told(link, link.state)), ...denying.map(({ holder }) => told(holder, 'denies'))]
  if (found.length > 0) return found
  // Nothing leads from the place to the subject: no group has both, or the place refers to nothing.
  return routes.map(({ name, ties: [tie] }) =>
    evidence(words(tie.entity.name), tie.entity, {}, 'missing', `Nothing is there by the way ${name}.`),
  )
}
