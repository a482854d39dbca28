import { type Attribute, type Entity, entity, flag, instant, list, map, number, text } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { uniqueName } from '../attributes/index.ts'
import type { Name } from '../decision/lookup.ts'
import {
  decision,
  explanation,
  nameOf,
  optional,
  type Problem,
  type Questions,
  textField,
  userField,
  userTold,
} from '../decision/question.ts'
import { pageOfValues, valuesOf } from '../decision/returns.ts'
import type { Declared, Node, Tenancy } from './declared.ts'
import { words } from './reason.ts'
import { valuesShown } from './shown.ts'
import type { AccessData } from './snapshot/access-snapshot.ts'

/** Text by which something might be called. */
const anyName = nameOf(entity('Name', { attributes: { name: uniqueName }, key: ['NAME#{name}', 'META'] }), 'name')

/** A subject or a place, named by its id or by the text of its guard. Text that is neither names nothing: that is unknown, not malformed. */
function nodeField({ entity, id, called }: Node): Attribute<Name, 'given'> {
  const [asId, asName, own] = [nameOf(entity, id), called && nameOf(called.guard, called.by), words(entity.name)]
  const told = called === undefined ? text({ pattern: /.+/ }) : uniqueName
  return textField(told.describe(`The ${own}, by its ${[id, called?.by ?? []].flat().join(' or ')}.`), (given): Name | Problem => {
    const read = asId(given)
    if (typeof read === 'string') return { by: 'id', text: read }
    if (asName === undefined) return read
    const any = anyName(given)
    if (typeof any !== 'string') return any
    const name = asName(given)
    return typeof name === 'string' ? { by: 'lookup', text: name } : { by: 'nothing', text: any }
  })
}

/** An action that is an item, named by its id. */
function itemField(entity: Entity, id: string): Attribute<string, 'given'> {
  // The attribute of a key is text.
  const told = { ...(entity.attributes[id] ?? uniqueName), description: `The ${words(entity.name)}, by its ${id}.` } as Attribute<string>
  return textField(told, nameOf(entity, id))
}

// The attributes of keys are text.
const given = ({ attributes }: Entity, name: string, description?: string) =>
  ({ ...(attributes[name] ?? uniqueName), description, presence: 'given' }) as Attribute<string, 'given'>

/** The questions of a declaration within a tenant. */
function questionsOfTenant(declared: Declared, tenancy: Tenancy, action: Attribute<string, 'given'>): Required<Questions> {
  const { subject, place, within } = declared
  const { field, attribute, tied } = tenancy
  const { entity } = tied.actions
  const [who, where, part] = [words(subject.entity.name), words(place.entity.name), within && words(within.entity.name)]
  const idOf = (node: Node, description: string) => textField(given(node.entity, node.id, description), nameOf(place.entity, place.id))
  const [asId, asName] = [nameOf(subject.entity, subject.id), subject.called && nameOf(subject.called.guard, subject.called.by)]
  const byId = given(subject.entity, subject.id, `The ${who}, by its ${subject.id}.`)
  const bySubject = {
    [subject.field]:
      asName === undefined
        ? textField(byId, asId)
        : userField(asId, asName, 'is neither an id nor an e-mail address', userTold(byId, subject.id)),
  }
  const at = idOf(place, `The ${where}, by its ${place.id}.`)
  const inside = within && {
    [within.field]: optional(idOf(within, `A ${part} of the ${where}, by its ${within.id}: then the ${who} must be a member of it.`)),
  }
  const byPlace = { [place.field]: at, ...inside }
  const others = Object.fromEntries(keyPlaceholders(entity).map((name) => [name, '-']))
  const byAction = { [field]: textField(given(entity, attribute, `The key of a ${field}.`), nameOf(entity, attribute, others)), action }
  const shown = valuesShown(declared)
  const flags = Object.fromEntries(Object.values(tenancy.flags).map((name) => [name, flag()]))
  return {
    can: { summary: `May this ${who} do this in this ${field} here?`, fields: { ...bySubject, ...byPlace, ...byAction }, answer: decision },
    why: {
      summary: 'By which items, or for want of which, is it so?',
      fields: { ...bySubject, ...byPlace, ...byAction },
      answer: explanation,
    },
    what: {
      summary: `In which ${field}s may this ${who} do what here?`,
      fields: { ...bySubject, ...byPlace },
      answer: pageOfValues<object>({ [attribute]: text(), ...flags }),
    },
    who: {
      summary: `Who may do this in this ${field} here?`,
      fields: { ...byPlace, ...byAction },
      answer: pageOfValues<object>({ ...shown.subject, ...shown.all }),
    },
    where: {
      summary: `Where may this ${who} do this in this ${field}?`,
      fields: { ...bySubject, ...byAction },
      answer: pageOfValues<object>({ ...shown.place, ...shown.all }),
    },
    access: {
      summary: `In which ${field}s may this ${who} do what, at a place or, without one, at its ${where}${part === undefined ? '' : ` and all its ${part}s`}?`,
      fields: { ...bySubject, [place.field]: optional(at), ...inside },
      ...(within && {
        rule: `A ${part} is named with its ${where}.`,
        alsoWrong: (asked: Readonly<Record<string, unknown>>) =>
          asked[within.field] === undefined || asked[place.field] !== undefined
            ? []
            : [{ path: [place.field], message: `is missing: a ${part} is named with it` }],
      }),
      answer: valuesOf<object>({
        ...{ format: number({ integer: true }), ...shown.id, issued_at: instant(), expires_at: instant() },
        ...{ places: list(map()), grants: list(map()), reason: map().optional() },
      }),
    },
  }
}

/** The questions of a declaration. */
export function questionsOf(declared: Declared, action: Attribute<string, 'given'> | Entity): Required<Questions> {
  const { subject, place, verb, tenancy } = declared
  if (tenancy !== undefined && !('form' in action)) return questionsOfTenant(declared, tenancy, action)
  const [who, where] = [words(subject.entity.name), words(place.entity.name)]
  const [bySubject, byPlace] = [{ [subject.field]: nodeField(subject) }, { [place.field]: nodeField(place) }]
  const { field: done = 'action', entity: item } = declared.action ?? {}
  const byAction = { [done]: 'form' in action ? itemField(action, declared.action?.id ?? '') : action }
  const shown = valuesShown(declared)
  const until = 'until' in shown.all ? ', and until when' : ''
  const [this_, all] = item === undefined ? ['this', 'What'] : [`this ${words(item.name)}`, `Which ${words(item.name)}s`]
  const [allUsers, allPlaces] = item === undefined ? ['Who', 'Where'] : [`Which ${who}s`, `At which ${where}s`]
  return {
    can: {
      summary: `May this ${who} ${verb} ${this_} at this ${where}?`,
      fields: { ...bySubject, ...byPlace, ...byAction },
      answer: decision,
    },
    why: {
      summary: 'By which items, or for want of which, is it so?',
      fields: { ...bySubject, ...byPlace, ...byAction },
      answer: explanation,
    },
    what: {
      summary: `${all} may this ${who} ${verb} at this ${where}${until}?`,
      fields: { ...bySubject, ...byPlace },
      answer: pageOfValues<object>({ [done]: 'form' in action ? text() : action, ...shown.all }),
    },
    who: {
      summary: `${allUsers} may ${verb} ${this_} at this ${where}${until}?`,
      fields: { ...byPlace, ...byAction },
      answer: pageOfValues<object>({ ...shown.subject, ...shown.all }),
    },
    where: {
      summary: `${allPlaces} may this ${who} ${verb} ${this_}${until}?`,
      fields: { ...bySubject, ...byAction },
      answer: pageOfValues<object>({ ...shown.place, ...shown.all }),
    },
    access: {
      summary: `What may this ${who} ${verb}, at a ${where} or, without one, everywhere?`,
      fields: { ...bySubject, [place.field]: optional(nodeField(place)) },
      answer: valuesOf<AccessData>({
        ...{ format: number({ integer: true }), subject: text().optional(), issued_at: text(), expires_at: text() },
        ...{ place: text().optional(), grants: list(map()), reason: map().optional() },
      }),
    },
  }
}
