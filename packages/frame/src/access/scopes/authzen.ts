import { type AuthzenMapping, type AuthzenServed, attributeOf, type ListItem, type OwnList, textIn, types } from '../../authzen/mapping.ts'
import { readRange } from '../../decision/load.ts'
import { parseRecords } from '../../decision/record.ts'
import type { Fields } from '../link.ts'
import { everything } from '../way.ts'
import type { Pattern, Patterns } from './patterns.ts'
import { placeOfEntries } from './roles.ts'
import type { Scoped } from './scoped.ts'

/** In a part of an action's name a colon and a percent sign are percent-encoded: `doors:open:gate`, `doors:open:gate%3A7`. */
const encoded = (part: string) => part.replace(/[%:]/g, encodeURIComponent)

/** The part of an action's name. As it stands if it is not encoded as it should be: then it names nothing. */
function decoded(part: string): string {
  const text = part.replaceAll('%3A', ':').replaceAll('%25', '%')
  return encoded(text) === part ? text : ''
}

const ofCatalogue = 'catalogue '
const permissionsIn =
  ({ storedIn }: Patterns) =>
  (item: ListItem): readonly Pattern[] => {
    const permission = storedIn(attributeOf(item, 'permission'))
    return permission === undefined ? [] : [permission]
  }
/** A page that is read at once: more patterns than a role embeds. */
const patternsAtOnce = 1000

/**
 * The permissions of a subject at a scope as actions, each once: those held by name, then those of the catalogue that a held wildcard covers. What a
 * wildcard covers beyond the catalogue has no names to list.
 */
function heldActions({ patterns, declaredRoles: { linked } }: Scoped, served: AuthzenServed): OwnList {
  const { parts, textOf, covers } = patterns
  const { runtime } = served.table
  const isPattern = (permission: Pattern) => parts.some((part) => permission[part] === everything)
  const told = (permissions: readonly Pattern[]) => permissions.map((permission) => ({ permission }))
  return async (question, { limit, cursor }) => {
    let page = await served.decider.what(question, { limit: patternsAtOnce })
    const { reason } = page
    const held = page.items.flatMap(permissionsIn(patterns))
    while (page.cursor !== undefined) {
      page = await served.decider.what(question, { limit: patternsAtOnce, cursor: page.cursor })
      held.push(...page.items.flatMap(permissionsIn(patterns)))
    }
    const wide = held.filter(isPattern)
    const named = held.filter((permission) => !isPattern(permission))
    const isMore = wide.length > 0 && linked !== undefined
    if (cursor === undefined || linked === undefined)
      return { items: told(named), ...(isMore ? { cursor: ofCatalogue } : {}), ...(reason === undefined ? {} : { reason }) }
    const isNamed = new Set(named.map(textOf))
    const after = cursor.slice(ofCatalogue.length)
    const { catalogue } = linked
    const { partition, range } = placeOfEntries(catalogue)
    const { items, isLast } = await readRange(runtime, partition, range, { limit, ...(after === '' ? {} : { after }) })
    const covered = parseRecords(catalogue, items)
      .found.flatMap((permission: Fields) => permissionsIn(patterns)({ permission }))
      .filter((entry) => !isPattern(entry) && !isNamed.has(textOf(entry)) && wide.some((pattern) => covers(pattern, entry)))
    return { items: told(covered), ...(isLast ? {} : { cursor: `${ofCatalogue}${items.at(-1)?.SK}` }) }
  }
}

/** A subject has a permission (the action, `module:action:resource`) at a scope (the resource, of its kind). The context has what else is needed. */
export function scopedAuthzen(declared: Scoped, served: AuthzenServed): AuthzenMapping {
  const { subject, chain, patterns, assigned, need, shows } = declared
  const [idTold = subject.field] = Object.entries(shows).flatMap(([told, own]) => (own === subject.id ? [told] : []))
  const scope = (type: string) => ({
    asked: ({ id }: { readonly id: string }) => ({ [type]: id }),
    told: (item: ListItem) => (attributeOf(item, assigned.type) === type ? textIn(item, assigned.id) : []),
  })
  const nameOf = (permission: Pattern) => patterns.parts.map((part) => encoded(permission[part] ?? '')).join(':')
  return {
    subject: types({ [subject.field]: { asked: ({ id }) => ({ [subject.field]: id }), told: (item) => textIn(item, idTold) } }),
    action: {
      asked: ({ name }) => {
        const written = name.split(':').map(decoded)
        const whole = Object.fromEntries(patterns.parts.map((part, index) => [part, written[index] ?? '']))
        return { permission: written.length > patterns.parts.length ? name : whole }
      },
      told: (item) => permissionsIn(patterns)(item).map(nameOf),
    },
    resource: types(Object.fromEntries(chain.levels.map(({ type }) => [type, scope(type)]))),
    context: (context) => {
      const isTaken = (name: string) => Object.hasOwn(need?.fields ?? {}, name)
      const fields = Object.fromEntries(Object.entries(context).filter(([name, value]) => isTaken(name) && value !== undefined))
      return { fields, unused: Object.keys(context).filter((name) => !isTaken(name)) }
    },
    lists: { action: heldActions(declared, served) },
  }
}
