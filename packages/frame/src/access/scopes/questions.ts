import { type Attribute, type Attributes, type Entity, instant, list, map, number, oneOf, record, text, verbatim } from '@freehold/table'
import { lookedForText } from '@freehold/table/runtime'
import { uniqueName } from '../../attributes/index.ts'
import {
  anyOf,
  decision,
  explanation,
  field,
  isProblem,
  nameOf,
  optional,
  type Problem,
  type Questions,
  type TextReader,
  textField,
  userField,
  userTold,
} from '../../decision/question.ts'
import { pageOfValues, valuesOf } from '../../decision/returns.ts'
import type { Given } from '../../reading/read-attributes.ts'
import { everything } from '../way.ts'
import type { Pattern } from './patterns.ts'
import type { Scoped } from './scoped.ts'

/** Text of an attribute's kind. No item is called by text that is empty or holds a control character. */
function textOf(attribute: Attribute): TextReader {
  return (given) => {
    const read = lookedForText(attribute.kind, given)
    if (typeof read !== 'string') return { problem: read.message }
    if (read === '') return { problem: 'is empty' }
    return /\p{Cc}/u.test(read) ? { problem: 'holds a control character' } : read
  }
}

// The attributes of keys are text.
const attributeOf = ({ attributes }: Entity, name: string, more: Partial<Attribute> = {}) =>
  ({ ...(attributes[name] ?? text()), ...more }) as Attribute<string>

const kinds: Readonly<Record<string, string>> = { uuid: 'a UUID', ulid: 'a ULID' }

/** The subject, by its id or, if subjects have a name that is unique, by that. */
function subjectField({ subject: { entity, id, field: who, called } }: Scoped) {
  const own = attributeOf(entity, id)
  const kind = kinds[own.kind.name] ?? 'an id'
  const words = kind.replace(/^an? /, '')
  if (called === undefined)
    return textField({ ...own, description: `The ${who}, by its ${words}.`, presence: 'given' }, (given) => {
      const read = textOf(own)(given)
      return isProblem(read) ? read : { by: 'id' as const, text: read }
    })
  return userField(textOf(own), nameOf(called.guard, called.by), `is neither ${kind} nor an e-mail address`, userTold(own, words, who))
}

/** Longer than the longest key that a permission of a catalogue could have. */
const partMax = 1024

/** A question never holds a wildcard (spec rule 21). */
function partProblem(part: string | Problem): string | undefined {
  if (isProblem(part)) return part.problem
  if (part === everything) return 'is a wildcard: ask for what is to be done'
  return part.length > partMax ? `is longer than ${partMax} characters` : undefined
}

/** A permission, as an object of its parts or as text. */
function permissionField({ patterns, declaredRoles: { linked } }: Scoped, parts: Readonly<Record<string, string>>) {
  const given = (what: string) => text({ lookAlikes: 'refused', max: partMax }).describe(`${what}: no wildcard.`)
  const told = record(Object.fromEntries(Object.entries(parts).map(([part, what]) => [part, given(what)])))
  const readers = patterns.parts.map((part) => [part, textOf(linked?.catalogue.attributes[part] ?? uniqueName)] as const)
  // Over HTTP a permission has fields; its text is taken, too.
  return field({ ...anyOf(verbatim(), map()), told, description: 'What is to be allowed.' }, (value): Pattern | Problem => {
    const written = patterns.written(value)
    if (typeof written === 'string') return { problem: written }
    const read: Record<string, string> = {}
    for (const [name, reader] of readers) {
      const said = written[name]
      if (typeof said !== 'string') return { problem: `has no ${name} that is text` }
      const part = reader(said)
      const problem = partProblem(part)
      if (problem !== undefined || isProblem(part)) return { problem: `has as its ${name} one that ${problem}` }
      read[name] = part
    }
    return read
  })
}

const among = (all: readonly string[]) => all.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** The questions of access at scopes; `access` is one of them if there are snapshots. */
export function scopedQuestions(declared: Scoped, parts: Readonly<Record<string, string>>, hasSnapshots: boolean): Questions {
  const { chain, subject, shows, need, assigned } = declared
  const who = subject.field
  const bySubject = { [who]: subjectField(declared) }
  const byScope = Object.fromEntries(
    chain.levels.map(({ type, entity, id }) => {
      const description = `The ${type} that is asked about, by its id.`
      return [type, optional(textField(attributeOf(entity, id, { description, presence: 'given' }), textOf(attributeOf(entity, id))))]
    }),
  )
  const permission = permissionField(declared, parts)
  const needs = need?.fields ?? {}
  const names = `a ${among(chain.levels.map(({ type }) => `a ${type}`)).slice(2)}`
  const scopeMissing = (given: Given) => {
    if (chain.levels.some(({ type }) => Object.hasOwn(given, type) && given[type] !== undefined)) return []
    return [{ path: [chain.levels[0]?.type ?? ''], message: `is missing: a question names ${names}` }]
  }
  const atScope = { alsoWrong: scopeMissing, rule: `It names ${names}.` }
  const grantedBy = map()
  // That another program may leave it out is told of the entity alone.
  const mayLack = (own: string) => ({
    ...attributeOf(subject.entity, own, { presence: own === subject.id ? 'given' : 'optional' }),
    absent: undefined,
  })
  const shown = Object.fromEntries(Object.entries(shows).map(([told, own]) => [told, mayLack(own)])) as unknown as Attributes
  const idTold = Object.entries(shows).find(([, own]) => own === subject.id)?.[0] ?? who
  const idOf = (index: number, presence: Attribute['presence'] = 'given') => {
    const level = chain.levels[index]
    return level === undefined ? text() : attributeOf(level.entity, level.id, { presence })
  }
  const ids = Object.fromEntries(chain.levels.map(({ name }, index) => [name, idOf(index, index === 0 ? 'given' : 'optional')]))
  const [first = '', ...others] = chain.levels.map(({ type }) => type)
  const all = { ...bySubject, ...byScope, permission, ...needs }
  const five = {
    can: { summary: `May this ${who} do this here?`, fields: all, ...atScope, answer: decision },
    why: { summary: 'By which items, or for want of which, is it so?', fields: all, ...atScope, answer: explanation },
    what: {
      summary: `What may this ${who} do here?`,
      fields: { ...bySubject, ...byScope, ...needs },
      ...atScope,
      answer: pageOfValues<object>({
        permission: record(Object.fromEntries(Object.keys(parts).map((part) => [part, text()]))),
        grantedBy,
      }),
    },
    who: {
      summary: 'Who may do this here?',
      fields: { ...byScope, permission, ...needs },
      ...atScope,
      answer: pageOfValues<object>({ ...shown, grantedBy }),
    },
    where: {
      summary: `Where may this ${who} do this?`,
      fields: { ...bySubject, permission, ...needs },
      answer: pageOfValues<object>({
        ...{ [assigned.type]: oneOf(first, ...others), [assigned.id]: idOf(0), ...ids, name: text().optional(), grantedBy },
      }),
    },
  }
  if (!hasSnapshots) return five
  return {
    ...five,
    access: {
      summary: `What may this ${who} do, at a scope or, without one, everywhere?`,
      fields: { ...bySubject, ...byScope, ...needs },
      // No scope says of all beneath it whether it has what is needed.
      ...(need && {
        rule: `With ${need.called} it names ${names}.`,
        alsoWrong: (given: Given) => (need.isAsked(given) ? scopeMissing(given) : []),
      }),
      answer: valuesOf<object>({
        ...{ format: number({ integer: true }), [idTold]: attributeOf(subject.entity, subject.id, { presence: 'optional' }) },
        ...{ issued_at: instant(), expires_at: instant(), place: map().optional(), grants: list(map()), reason: map().optional() },
      }),
    },
  }
}
