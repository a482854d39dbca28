import type { AnyDesign, Attribute, Entity } from '@freehold/table'
import { keyPlaceholders, type Stored } from '@freehold/table/runtime'
import { ownerOf } from '../exchange/part.ts'
import type { RecordForm } from '../flow/flow-host.ts'
import { isName } from '../flow/identities/person-name.ts'
import { isAddress, isFree, isSubject, type PersonForm } from './person-form.ts'
import {
  isIn,
  isObject,
  isStructure,
  remembering,
  type ToText,
  textsIn,
  type Values,
  valueAt,
  without,
  withoutPath,
  withPath,
  withTexts,
  wordsOf,
} from './texts.ts'

/** What is known of a person, as text that may stand anywhere. */
export interface Known {
  /** Each reaches this person alone: an item that has one is about the person. */
  readonly addresses: readonly string[]
  /** Others may have the same. */
  readonly names: readonly string[]
  /** What a provider of sign-ins calls the person. */
  readonly subjects: readonly string[]
}

export interface Told extends Omit<Known, 'names'> {
  readonly item: string
  readonly parts: readonly (readonly [attribute: string, value: string])[]
}

/** A person whose traces are looked for, and what stands in their place. */
export interface Sought extends Known {
  readonly id: string
  readonly pseudonym: string
  /** Items that were the person's, as `Type id`: records name them by their own ids. */
  readonly items?: ReadonlySet<string>
}

const mayLack = ({ presence, absent }: Attribute) => presence === 'optional' || absent !== undefined

/** Looks for the traces of a person in items, each by itself. */
export interface Traces {
  /** True of an item that is the person's, or tells of it. */
  isOf(entity: Entity | undefined, item: Stored): boolean
  /** The item as the person may see it: not from where others have acted. */
  shown(entity: Entity, item: Stored): Stored
  /** True of a record of the person, or of an item that went along with it. Only such records tell what its name once was. */
  isAbout(entity: Entity, item: Stored): boolean
  /** What a record of the person tells of it, and of which item it tells. `parts`: of its name, by attribute. */
  told(item: Stored): Told
  /** The item without the person; the very same where it says nothing of it. */
  erased(entity: Entity | undefined, item: Stored): Stored
}

/** @param records what the records of the design's flows look like */
export function tracesOf(
  { form }: AnyDesign,
  { person, idName, isIdUnique, own, naming, foreign }: PersonForm,
  records: RecordForm | undefined,
  { id, pseudonym, addresses, names, subjects, items }: Sought,
): Traces {
  const idPattern = wordsOf([id], '_-')
  const address = wordsOf(addresses, '._%+@-')
  const word = wordsOf([...names, ...subjects], '')
  const subject = wordsOf(subjects, '')
  const exactly = new Set([...names, ...subjects].map((each) => each.toLowerCase()))
  const entities = [...form.entities.values()]
  /** Names of ids, instants and words of the design: an id may be spelled as somebody's name is. */
  const isNoText = remembering((name) => {
    const all = entities.flatMap(({ attributes }) => attributes[name] ?? [])
    return all.length > 0 && !all.some(isFree)
  })

  const isRecord = (entity: Entity) => records !== undefined && (ownerOf(entity) ?? entity) === records.entity
  const isKept = (entity: Entity | undefined) => entity === undefined || (ownerOf(entity) ?? entity).form.appendOnly
  const recordOf = (item: Values) => ({
    of: String(valueAt(item, records?.subject ?? '')),
    id: String(valueAt(item, records?.id ?? '')),
    actor: valueAt(item, records?.actor ?? ''),
  })

  /** Whether an id at this place can be that of a person. One of letters that somebody chose may be another thing's, too. */
  const mayBeId = (entity: Entity | undefined, top: string, name: string): boolean => {
    if (isIdUnique) return true
    if (name === '') return false
    // The parts of it are looked at one by one.
    if (entity !== undefined && isRecord(entity) && top === records?.id) return true
    if (naming.has(name) || (entity !== undefined && isRecord(entity) && top === records?.actor)) return true
    if (entity !== undefined && own.has(entity.name) && name === idName) return entity === person || ownerOf(entity) === person
    const attribute = entity?.attributes[top]
    return !foreign.has(name) && (attribute === undefined ? entity === undefined : attribute.presence !== 'made' && !isFreeText(attribute))
  }
  const isFreeText = (attribute: Attribute) => isFree(attribute) && attribute.kind.name !== 'map'
  /** A text without the id. The id of an item that a record names may be made of several, in the order of its key. */
  const withoutId = (entity: Entity | undefined, top: string, name: string, item: Values, text: string): string => {
    if (!mayBeId(entity, top, name)) return text
    if (isIdUnique) return without(idPattern, text, pseudonym)
    if (entity === undefined || !isRecord(entity) || top !== records?.id) return text === id ? pseudonym : text
    const { of } = recordOf(item)
    const about = form.entities.get(of)
    const key = about === undefined ? [] : keyPlaceholders(about)
    if (own.has(of) && text === id) return pseudonym
    const parts = text.split(' ')
    const isWhole = parts.length === key.length && key.length > 1
    return isWhole ? parts.map((each, index) => (each === id && !foreign.has(key[index] ?? '') ? pseudonym : each)).join(' ') : text
  }

  const holds = (item: Values, found: (text: string, top: string, name: string) => boolean): boolean => {
    let is = false
    for (const [top, value] of Object.entries(item))
      if (!isStructure(top))
        textsIn(value, top, (text, name) => {
          is ||= found(text, top, name)
        })
    return is
  }
  const namesPerson = (entity: Entity | undefined, item: Values) =>
    holds(item, (text, top, name) => withoutId(entity, top, name, item, text) !== text)
  const isOwnRecord = (entity: Entity | undefined, item: Values) => {
    if (entity === undefined || !isRecord(entity)) return false
    const { of, id: about } = recordOf(item)
    return items?.has(`${of} ${about}`) === true
  }
  const isAbout = (entity: Entity, item: Values) => {
    if (!isRecord(entity)) return false
    const { of, id: about } = recordOf(item)
    if (of === person.name) return about === id
    if (!own.has(of)) return false
    // The person is an end of the item, and not just somebody who is named in it.
    const [related, changes] = [records?.related ?? '', records?.changes ?? ''].map((path) => valueAt(item, path))
    const ends = { ...(isObject(related) ? related : {}), ...(isObject(changes) ? changes : {}) }
    return (
      about.split(' ').includes(id) ||
      Object.entries(ends).some(([name, value]) => naming.has(name) && JSON.stringify(value).includes(`"${id}"`))
    )
  }

  const mailbox = `${pseudonym.toLowerCase()}@erased.invalid`
  /** The pseudonym in the form of an attribute; undefined if the attribute goes. */
  const inPlace = (attribute: Attribute, value: unknown): unknown => {
    if (attribute.kind.name === 'email') return mailbox
    if (isAddress(attribute)) return mayLack(attribute) ? undefined : value
    return pseudonym
  }

  /** What a record of the person's own items tells of them. A digest could be guessed, so it goes, too. */
  const withoutChanges = (item: Values): Values => {
    const { of } = recordOf(item)
    const path = records?.changes.split('.') ?? []
    const changes = valueAt(item, path.join('.'))
    const entity = form.entities.get(of)
    if (!isObject(changes) || entity === undefined) return item
    const personal = new Set([...(own.get(of) ?? []), ...sidesOf(entity).flatMap((side) => [...(own.get(side.name) ?? [])])])
    const next = Object.entries(changes).map(([name, sides]): [string, unknown] => {
      if (!personal.has(name) || !isObject(sides)) return [name, sides]
      return [name, Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, isErased(value) ? value : pseudonym]))]
    })
    return withPath(item, path, Object.fromEntries(next))
  }
  const isErased = (value: unknown) => value === pseudonym
  const sidesOf = ({ form: { part } }: Entity) => (part.kind === 'edge' ? part.edge.sides : [])

  const withoutOrigin = (item: Values) => (records?.from ?? []).reduce((rest, path) => withoutPath(rest, path.split('.')), item)

  /** An entry that stays as it is told, with the pseudonym wherever the person is meant. */
  const erasedKept = (entity: Entity | undefined, item: Values): Values => {
    const isOwn = entity !== undefined && (isAbout(entity, item) || isOwnRecord(entity, item))
    const told = isOwn ? withoutChanges(item) : item
    const from = entity !== undefined && isRecord(entity) && recordOf(item).actor === id ? withoutOrigin(told) : told
    const next = Object.entries(from).flatMap(([top, value]): [string, unknown][] => {
      if (isStructure(top)) return [[top, value]]
      const attribute = entity?.attributes[top]
      const isText = attribute === undefined || isFree(attribute)
      const isFixed = entity !== undefined && isRecord(entity) && records?.fixed.includes(top) === true
      if (typeof value === 'string' && attribute !== undefined && isAddress(attribute)) {
        const is = isIn(address, value) || (value !== mailbox && exactly.has(value.toLowerCase()))
        const by = is ? inPlace(attribute, value) : value
        return by === undefined ? [] : [[top, by]]
      }
      const to: ToText = (text, name) => {
        const named = withoutId(entity, top, name, item, text)
        const unaddressed = without(address, named, pseudonym)
        if (isFixed || !isText || name === '') return unaddressed
        // The id of an item may be made of several.
        return without(top === records?.id || isNoText(name) ? subject : word, unaddressed, pseudonym)
      }
      return [[top, withTexts(value, top, to)]]
    })
    return Object.fromEntries(next)
  }

  /** True of what is, or hangs on, another person. One who has taken an address meanwhile keeps it. */
  const isOfAnother = (entity: Entity, item: Values) =>
    own.has(entity.name) &&
    ((ownerOf(entity) ?? entity) === person ||
      [...naming].some((name) => entity.attributes[name] !== undefined && item[name] !== undefined))

  /** An item of others that goes on: who made it has a pseudonym, and the person is no contact of it any more. */
  const erasedLive = (entity: Entity, item: Values): Values => {
    const key = new Set(keyPlaceholders(entity))
    const isAnother = isOfAnother(entity, item)
    const isContact = !isAnother && holds(item, (text) => isIn(address, text))
    const next = Object.entries(item).flatMap(([top, value]): [string, unknown][] => {
      const attribute = entity.attributes[top]
      if (isStructure(top) || (attribute === undefined && !isObject(value))) return [[top, value]]
      const whole = typeof value === 'string' ? value.toLowerCase() : ''
      const isNamed = isContact && exactly.has(whole) && attribute?.kind.name === 'text' && attribute.kind.isName !== true && !key.has(top)
      const isWhole = isNamed || (attribute !== undefined && isAddress(attribute) && isContact && isIn(address, whole))
      if (isWhole && attribute !== undefined && !key.has(top)) {
        const by = mayLack(attribute) ? undefined : inPlace(attribute, value)
        return by === undefined ? [] : [[top, by]]
      }
      const isInner = isObject(value)
      const to: ToText = (text, name) => {
        const named = withoutId(entity, top, name, item, text)
        if (!isContact) return named
        const unaddressed = without(address, named, isInner ? pseudonym : mailbox)
        return isInner && name !== '' && !isNoText(name) && exactly.has(unaddressed.toLowerCase()) ? pseudonym : unaddressed
      }
      return [[top, withTexts(value, top, to)]]
    })
    return Object.fromEntries(next)
  }

  const isOf = (entity: Entity | undefined, item: Stored) =>
    isOwnRecord(entity, item) || namesPerson(entity, item) || holds(item, (text) => isIn(address, text))
  return {
    isOf,
    shown: (entity, item) => (isRecord(entity) && recordOf(item).actor !== id ? withoutOrigin(item) : item),
    isAbout,
    told: (item) => {
      const { of, id: about } = recordOf(item)
      const changes = valueAt(item, records?.changes ?? '')
      const told = isObject(changes) ? Object.entries(changes) : []
      const entity = form.entities.get(of)
      const texts = told.flatMap(([name, sides]) => {
        const attribute = entity?.attributes[name]
        const isOwn = own.get(of)?.has(name) === true && attribute !== undefined
        const values = isOwn && isObject(sides) ? Object.values(sides).filter((each) => typeof each === 'string' && !isErased(each)) : []
        return values.map((value) => ({ name, attribute, value: String(value) }))
      })
      return {
        item: `${of} ${about}`,
        addresses: texts.flatMap(({ attribute, value }) => (attribute !== undefined && isAddress(attribute) ? [value] : [])),
        parts: texts.flatMap(({ name, attribute, value }) =>
          attribute !== undefined && isName(name, attribute) ? [[name, value] as const] : [],
        ),
        subjects: texts.flatMap(({ name, attribute, value }) =>
          entity !== undefined && attribute !== undefined && isSubject(entity, name, attribute) ? [value] : [],
        ),
      }
    },
    erased: (entity, item) => {
      if (!isOf(entity, item)) return item
      return isKept(entity) || entity === undefined ? erasedKept(entity, item) : erasedLive(entity, item)
    },
  }
}
