import { type Attribute, type Entity, entity, list, map, number, text } from '@freehold/table'
import { uniqueName } from '../attributes/index.ts'
import type { Name } from '../decision/lookup.ts'
import { decision, explanation, nameOf, optional, type Problem, type Questions, textField } from '../decision/question.ts'
import { pageOfValues, valuesOf } from '../decision/returns.ts'
import type { Declared, Node } from './declared.ts'
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

/** The questions of a declaration. */
export function questionsOf(declared: Declared, action: Attribute<string, 'given'> | Entity): Required<Questions> {
  const { subject, place, verb } = declared
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
