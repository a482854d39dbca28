import type { Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Evidence, Reason } from '../decision/decision.ts'
import { evidence, malformedNames } from '../decision/evidence.ts'
import { malformedRecord, policy, unknownReason } from '../decision/fault.ts'
import type { Name } from '../decision/lookup.ts'
import type { LoadResult, Unusable } from '../decision/record.ts'
import { allows, type Finding } from './chain.ts'
import type { Declared, Node } from './declared.ts'
import { type Fields, type Link, textOf } from './link.ts'

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

/**
 * Why no grant would allow it: something that was asked about is not there, or does not count. Faults come before names (spec rule 19).
 * @param member what ties the subject to a part of the place
 */
export function closedReason(
  declared: Declared,
  names: readonly LoadResult<unknown>[],
  asked: readonly Named[],
  member?: Link,
): Reason | undefined {
  const all = asked.map(({ node, name, id, link }) => ({ what: node.entity.name, name: name.text, id, result: link?.result }))
  const denying = [...asked.map(({ link }) => link), member].find((link) => link !== undefined && link.state !== 'found')
  return unknownReason(names, all) ?? (denying && refusal(declared, denying))
}

/** The reason of an item that denies whatever is asked. */
function refusal(declared: Declared, link: Link): Reason | undefined {
  const { name } = link.entity
  const codes = declared.words.get(name)?.codes
  if (codes !== undefined) return policy(codes[link.state] ?? codes.denies ?? `Inactive${name}`, told(declared, link, link.state).message)
  if (link.state === 'expired') return policy(`Inactive${name}`, `The ${words(name)} has ended.`)
  return link.state === 'inactive' ? policy(`Inactive${name}`, `The ${words(name)} is not ${conditionWords(link)}.`) : undefined
}

const conditionWords = (link: Link | undefined): string => (link?.rests.includes('status') === true ? 'active' : 'as it must be')

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The attributes that an answer rests on, as they were read; null for one that is absent. */
function asRead({ result, rests }: Link): Evidence['as'] {
  if (result.state !== 'found' || rests.length === 0) return undefined
  const as: Record<string, string | number | boolean | null> = {}
  for (const name of rests) {
    const value = result.item[name]
    as[name] = isScalar(value) ? value : null
  }
  return as
}

const quoted = (text: string) => JSON.stringify(text)

/** `NoPost`, for items that are told as a post. */
const lacking = (step: string) => `No${step.replace(/(?:^| )(.)/g, (_, first: string) => first.toUpperCase())}`

/** Why nothing allows: `loaded` are all records that might have. */
export function denial(
  declared: Declared,
  closed: Reason | undefined,
  finding: Finding | undefined,
  action: string,
  loaded: readonly LoadResult<unknown>[],
  values: Values = {},
): Reason {
  if (closed?.kind === 'fault' || loaded.some(({ state }) => state === 'malformed')) return malformedRecord
  if (closed !== undefined) return closed
  const { grants, needs, subject } = declared
  const who = words(subject.entity.name)
  const because = (entity: Entity, message: string, by = entity) => {
    const code = lacking(stepOf(declared, entity))
    const { missing } = (declared.words.get(code) ?? declared.words.get(by.name))?.sentences ?? {}
    return policy(code, missing?.((name) => values[name]) ?? message)
  }
  const [unmet] = needs.filter((_, index) => finding?.needed[index]?.some(allows(action)) !== true)
  if (unmet !== undefined) {
    const { entity } = unmet.ties[0]
    return because(entity, `The ${who} has no ${stepOf(declared, entity)} here, which this needs.`)
  }
  const [only, ...more] = grants
  const [tie, outer] = only?.ties ?? []
  const none = declared.words.get('NoGrant')?.sentences.missing
  const nothing = policy('NoGrant', none?.((name) => values[name]) ?? `Nothing that the ${who} has allows this here.`)
  if (tie === undefined || more.length > 0) return nothing
  if (tie.isNode && outer !== undefined)
    return finding?.isInGroup === true
      ? nothing
      : because(tie.entity, `The ${who} is in no ${stepOf(declared, tie.entity)} here.`, outer.entity)
  return because(tie.entity, `The ${who} has no ${stepOf(declared, tie.entity)} here that allows this.`)
}

/** How an item is called. */
const stepOf = (declared: Declared, { name }: Entity): string => declared.words.get(name)?.is ?? words(name)

const sentences = {
  found: 'exists',
  missing: 'does not exist',
  deleting: 'is being deleted',
  malformed: 'is malformed',
  expired: 'has ended',
  inactive: 'does not count now',
  denies: 'does not allow this',
} as const satisfies Record<Evidence['state'], string>

/** The key as the design has it. */
function inKeyOrder({ entity, id }: Link): Link['id'] {
  const inOrder: Record<string, string> = {}
  for (const name of keyPlaceholders(entity)) {
    const value = id[name]
    if (value === undefined) return id
    inOrder[name] = value
  }
  return inOrder
}

/** An item as it is told, by the words of the declaration if that has any. */
export function told(declared: Declared, link: Link, state: Evidence['state'], values: Values = {}): Evidence {
  const { entity, end, result } = link
  const id = inKeyOrder(link)
  const own = declared.words.get(entity.name)
  // Sentences of the declaration say what denies.
  const as = state === 'found' || declared.words.size === 0 ? asRead(link) : undefined
  const step = own?.is ?? words(entity.name)
  const tell = (message: string) => evidence(step, entity, id, state, message, as)
  const sentence = own?.sentences[state] ?? (own?.codes === undefined || state === 'found' ? undefined : own.sentences.denies)
  if (declared.words.size > 0 && result.state !== 'found') return tell(result.message)
  if (sentence !== undefined) {
    const item: Fields = result.state === 'found' ? result.item : {}
    const value = (name: string) => values[name] ?? (id[name] === undefined ? item[name] : quoted(id[name]))
    return tell(sentence(value))
  }
  const attributes = Object.entries(as ?? {}).filter(([name, value]) => value !== null && name !== 'version')
  const having = attributes.length === 0 ? '' : `, with ${attributes.map(([name, value]) => `${name} ${value}`).join(' and ')}`
  const until = state === 'expired' && end !== undefined ? ` (${end.text})` : ''
  return tell(`The ${step} ${sentences[state]}${until}${state === 'found' || state === 'denies' ? having : ''}.`)
}

/** Values of a question that sentences name. */
export type Values = Readonly<Record<string, string>>

/** Why a snapshot holds nothing. */
export const nothingGranted = ({ words: all }: Declared): Reason =>
  policy('NoGrant', all.get('NothingGranted')?.sentences.missing?.(() => undefined) ?? 'Nothing is granted.')

/** Names that stand for nothing. */
export function missingNames(declared: Declared, asked: readonly Named[], unusable: readonly Unusable[]): readonly Evidence[] {
  const nothing = asked.flatMap(({ node: { entity, id, called }, name, id: known }): readonly Evidence[] => {
    if (known !== undefined) return []
    const step = stepOf(declared, entity)
    const [own, by] = [called?.guard ?? entity, called?.by ?? id]
    const usual = name.by === 'nothing' ? `${quoted(name.text)} is no name of a ${step}.` : `No ${step} is called ${quoted(name.text)}.`
    const sentence = declared.words.get(own.name)?.sentences.missing
    const message = sentence?.((of) => (of === by ? quoted(name.text) : undefined)) ?? usual
    return [evidence(step, own, { [by]: name.text }, 'missing', message)]
  })
  return [...nothing, ...malformedNames(unusable)]
}

/** What is missing for an action. */
export function missing(
  declared: Declared,
  { broken, more, chains, needed }: Finding,
  action: string,
  values?: Values,
): readonly Evidence[] {
  const isAllowing = allows(action)
  const denying = [chains, ...needed].flatMap((all) => all.filter((chain) => !isAllowing(chain)))
  // Several ways may lead through one item.
  const once = new Map(
    [...broken, ...more.flatMap((tell) => tell())].map((link) => [`${link.entity.name} ${textOf(link.id)} ${link.state}`, link]),
  )
  const found = [
    ...[...once.values()].map((link) => told(declared, link, link.state, values)),
    ...denying.map(({ holder }) => told(declared, holder(), 'denies')),
  ]
  if (found.length > 0) return found
  // Nothing leads from the place to the subject: no group has both, or the place refers to nothing.
  return declared.routes.map(({ name, ties: [tie] }) =>
    evidence(words(tie.entity.name), tie.entity, {}, 'missing', `Nothing is there by the way ${name}.`),
  )
}
