import type { AnyDesign, Attribute, Attributes, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { ownerOf } from '../exchange/part.ts'
import { naming } from '../flow/input/input-attributes.ts'

/** Kinds of text that people write. Ids, words of an enumeration and instants are none of these. */
const free = new Set(['text', 'verbatim', 'map'])
/** Kinds that reach one person, and nobody else. */
const addressing = new Set(['email', 'phone', 'username'])
/** Ids of these kinds are of one item among all. */
const uniqueIds = new Set(['uuid', 'ulid'])

export const isFree = ({ kind }: Attribute): boolean => free.has(kind.name) || addressing.has(kind.name)
export const isAddress = ({ kind }: Attribute): boolean => addressing.has(kind.name)

/** True of what a provider of sign-ins calls a person: text in the key of an edge. */
export const isSubject = ({ form: { part } }: Entity, name: string, attribute: Attribute): boolean =>
  part.kind === 'edge' && free.has(attribute.kind.name) && part.edge.sides.some((side) => keyPlaceholders(side).includes(name))

/** What a design declares of a person: nothing of this is written down by hand for one design. */
export interface PersonForm {
  readonly person: Entity
  /** The attribute that is the id of a person. */
  readonly idName: string
  /** True if such an id is of nothing else: a UUID or a ULID. */
  readonly isIdUnique: boolean
  /** The person, and each entity of what goes along with it, by name: the attributes that say something personal. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>
  /** Attributes that name a person wherever they stand, and those that name something else. */
  readonly naming: ReadonlySet<string>
  readonly foreign: ReadonlySet<string>
}

const referencesOf = ({ form: { part, references } }: Entity) => (part.kind === 'edge' ? part.edge.ends : references)

/** The entities of all that goes along with an item of this one, and itself; with their guards and lookup items. */
function goingAlong(design: AnyDesign, entity: Entity, found = new Set<Entity>()): ReadonlySet<Entity> {
  const { form } = design
  if (found.has(entity)) return found
  for (const each of [entity, ...form.derivedItemsOf(entity)]) found.add(each)
  for (const { onRemove, edge, entity: dependant } of form.dependantsOf(entity))
    if (onRemove === 'cascade') for (const each of edge?.sides ?? [dependant]) goingAlong(design, each, found)
  return found
}

/** What an item says of the person itself: no id, nothing that is copied from elsewhere, and no key of a setting, say, beneath it. */
function personalIn(entity: Entity, all: ReadonlySet<Entity>): ReadonlySet<string> {
  const references = referencesOf(entity)
  const refs = new Set(references.flatMap(({ attribute, by }) => [attribute, ...Object.values(by)]))
  const isOwnThrough = (through: string) => references.some(({ attribute, to }) => attribute === through && all.has(ownerOf(to) ?? to))
  const { part } = entity.form
  const copies = part.kind === 'edge' ? (part.edge.copies[entity.name] ?? []) : []
  const key = new Set(keyPlaceholders(entity))
  const isBeneath = [...key].some((name) => refs.has(name))
  return new Set(
    Object.entries(entity.attributes).flatMap(([name, attribute]) => {
      const through = attribute.source?.through ?? copies.find((copy) => copy.attribute === name)?.through
      const isOther = refs.has(name) || (through !== undefined && !isOwnThrough(through))
      const isKey = key.has(name) && isBeneath && part.kind !== 'edge' && !isAddress(attribute)
      return isFree(attribute) && !isOther && !isKey ? [name] : []
    }),
  )
}

const forms = new WeakMap<AnyDesign, PersonForm>()

/** What a design declares of its people. @param person the entity of people */
export function personForm(design: AnyDesign, person: Entity): PersonForm {
  const form = forms.get(design) ?? personFormOf(design, person)
  forms.set(design, form)
  return form
}

function personFormOf(design: AnyDesign, person: Entity): PersonForm {
  const [idName = 'id'] = keyPlaceholders(person)
  const all = goingAlong(design, person)
  const every = [...design.form.entities.values()].flatMap(referencesOf)
  const naming = new Set(every.flatMap(({ to, attribute }) => ((ownerOf(to) ?? to) === person ? [attribute] : [])))
  const others = every.flatMap(({ to, attribute }) => ((ownerOf(to) ?? to) === person || naming.has(attribute) ? [] : [attribute]))
  const { by } = design.tenants ?? {}
  return {
    person,
    idName,
    isIdUnique: uniqueIds.has(person.attributes[idName]?.kind.name ?? ''),
    own: new Map([...all].map((entity) => [entity.name, personalIn(entity, all)])),
    naming,
    foreign: new Set(by === undefined ? others : [...others, by]),
  }
}

/** The input that names a person. */
export function personNamed({ person, idName }: PersonForm): Attributes {
  const [id] = Object.values(naming<Entity, string>(person, idName))
  return id === undefined ? {} : { [idName]: { ...id, description: `The id of the ${person.name.toLowerCase()}.` } }
}
