import { type Attribute, list, map, number, text, verbatim } from '@freehold/table'
import type { Name } from '../decision/lookup.ts'
import { decision, explanation, nameOf, optional, type Problem, type Questions, textField, userField } from '../decision/question.ts'
import { pageOfValues, valuesOf } from '../decision/returns.ts'
import type { Declared, Node } from './declared.ts'
import { words } from './reason.ts'
import type { AccessData } from './snapshot/access-snapshot.ts'

/** A subject or a place, named by its id or by the text of its guard. */
function nodeField({ entity, id, called }: Node): Attribute<Name, 'given'> {
  const [asId, own] = [nameOf(entity, id), words(entity.name)]
  if (called !== undefined) {
    const told = text({ pattern: /.+/ }).describe(`The ${own}, by its ${id} or ${called.by}.`)
    return userField(asId, nameOf(called.guard, called.by), `is neither the ${id} of a ${own} nor its ${called.by}`, told)
  }
  return textField(text({ pattern: /.+/ }).describe(`The ${own}, by its ${id}.`), (given): Name | Problem => {
    const read = asId(given)
    return typeof read === 'string' ? { by: 'id', text: read } : read
  })
}

/** The five questions of a declaration. */
export function questionsOf({ subject, place }: Declared, action: Attribute<string, 'given'>): Required<Questions> {
  const [who, where] = [words(subject.entity.name), words(place.entity.name)]
  const [bySubject, byPlace] = [{ [subject.field]: nodeField(subject) }, { [place.field]: nodeField(place) }]
  const until = text().optional()
  const pair = {
    [subject.field]: subject.entity.attributes[subject.id] ?? verbatim(),
    [place.field]: place.entity.attributes[place.id] ?? verbatim(),
    until,
  }
  return {
    can: { summary: `May this ${who} do this at this ${where}?`, fields: { ...bySubject, ...byPlace, action }, answer: decision },
    why: { summary: 'By which items, or for want of which, is it so?', fields: { ...bySubject, ...byPlace, action }, answer: explanation },
    what: {
      summary: `What may this ${who} do at this ${where}, and until when?`,
      fields: { ...bySubject, ...byPlace },
      answer: pageOfValues<object>({ action, until }),
    },
    who: {
      summary: `Who may do this at this ${where}, and until when?`,
      fields: { ...byPlace, action },
      answer: pageOfValues<object>(pair),
    },
    where: {
      summary: `Where may this ${who} do this, and until when?`,
      fields: { ...bySubject, action },
      answer: pageOfValues<object>(pair),
    },
    access: {
      summary: `What may this ${who} do, at a ${where} or, without one, everywhere?`,
      fields: { ...bySubject, [place.field]: optional(nodeField(place)) },
      answer: valuesOf<AccessData>({
        ...{ format: number({ integer: true }), subject: text().optional(), issued_at: text(), expires_at: text() },
        ...{ place: text().optional(), grants: list(map()), reason: map().optional() },
      }),
    },
  }
}
