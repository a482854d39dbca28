import { type AuthzenMapping, attributeOf, type ListItem, textIn, types } from '../authzen/mapping.ts'
import type { Action, Named } from '../authzen/request.ts'
import type { Declared, Shown } from './declared.ts'

/** No id holds it, so that a part of a place is named with its place: `acme/research`. */
const delimiter = '/'

/** The name by which lists tell an attribute. */
const toldAs = (shown: Shown['subject'], attribute: string | undefined, otherwise: string): string =>
  Object.entries(shown ?? {}).find(([, own]) => own === attribute)?.[0] ?? otherwise

/** How actions that are flags are named, with what they are for: `dashboard:edit`. The last colon ends that, since no action holds one. */
const flagsOf = ({ field, attribute, flags }: NonNullable<Declared['tenancy']>): AuthzenMapping['action'] => ({
  asked: ({ name }) => {
    const at = name.lastIndexOf(':')
    return at < 0 ? { [field]: name, action: '' } : { [field]: name.slice(0, at), action: name.slice(at + 1) }
  },
  told: (item) =>
    textIn(item, attribute).flatMap((on) =>
      Object.entries(flags).flatMap(([action, flag]) => (attributeOf(item, flag) === true ? [`${on}:${action}`] : [])),
    ),
})

/** AuthZEN's names: the types of subjects and resources are the fields of questions. */
export function authzenOf({ subject, place, within, action, tenancy, shows }: Declared): AuthzenMapping {
  const done = action?.field ?? 'action'
  const [subjectAs, placeAs] = [toldAs(shows.subject, subject.id, subject.field), toldAs(shows.place, place.id, place.field)]
  const named = (field: string, told: (item: ListItem) => readonly string[]) => ({
    [field]: { asked: ({ id }: Named) => ({ [field]: id }), told },
  })
  const partAs = toldAs(shows.within, within?.id, within?.field ?? '')
  const parts = within && {
    [within.field]: {
      asked: ({ id }: Named) => {
        const at = id.indexOf(delimiter)
        // Without its place it is no part: an empty id is none.
        return at < 0 ? { [place.field]: '', [within.field]: id } : { [place.field]: id.slice(0, at), [within.field]: id.slice(at + 1) }
      },
      told: (item: ListItem) => textIn(item, placeAs).flatMap((at) => textIn(item, partAs).map((id) => `${at}${delimiter}${id}`)),
    },
  }
  const isPart = (item: ListItem) => within !== undefined && attributeOf(item, partAs) !== undefined
  return {
    subject: types(named(subject.field, (item) => textIn(item, subjectAs))),
    action:
      tenancy === undefined ? { asked: ({ name }: Action) => ({ [done]: name }), told: (item) => textIn(item, done) } : flagsOf(tenancy),
    resource: types({ ...named(place.field, (item) => (isPart(item) ? [] : textIn(item, placeAs))), ...parts }),
  }
}
