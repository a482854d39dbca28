import { type AuthzenMapping, type AuthzenServed, attributeOf, type ListItem, type OwnList, textIn, types } from '@freehold/frame/authzen'
import type { ScopeType } from './decide.ts'
import type { AccountTable } from './flows/account-host.ts'
import { covers, permissionIn, permissionText } from './permission/patterns.ts'
import { type Permission, permissionParts, wildcard } from './permission/permission.ts'

/** In a part of an action's name a colon and a percent sign are percent-encoded: `doors:open:gate`, `doors:open:gate%3A7`. */
const encoded = (part: string) => part.replace(/[%:]/g, encodeURIComponent)

/** The part of an action's name. As it stands if it is not encoded as it should be: then it names nothing. */
function decoded(part: string): string {
  const text = part.replaceAll('%3A', ':').replaceAll('%25', '%')
  return encoded(text) === part ? text : ''
}

export const actionName = ({ module, action, resource }: Permission): string => [module, action, resource].map(encoded).join(':')

function actionAsked(name: string) {
  const [module = '', action = '', resource = '', ...more] = name.split(':').map(decoded)
  return { permission: more.length > 0 ? name : { module, action, resource } }
}

const isPattern = (permission: Permission) => permissionParts.some((part) => permission[part] === wildcard)

function permissionOf(item: unknown): readonly Permission[] {
  const permission = permissionIn(item)
  return permission === undefined ? [] : [permission]
}

const ofCatalogue = 'catalogue '
/** A page that the frame reads at once: more patterns than a role embeds. */
const patternsAtOnce = 1000

/**
 * The permissions of a user at a scope as actions, each once: those held by name, then those of the catalogue that a held wildcard covers. What a
 * wildcard covers beyond the catalogue has no names to list.
 */
function heldActions({ table, decider }: AuthzenServed): OwnList {
  // The table is of this module's design.
  const { permissions } = table as unknown as AccountTable
  return async (question, { limit, cursor }) => {
    const held: Permission[] = []
    let page = await decider.what(question, { limit: patternsAtOnce })
    const { reason } = page
    for (;;) {
      for (const { permission } of page.items) held.push(...permissionOf(permission))
      if (page.cursor === undefined) break
      page = await decider.what(question, { limit: patternsAtOnce, cursor: page.cursor })
    }
    const patterns = held.filter(isPattern)
    const named = held.filter((permission) => !isPattern(permission))
    if (cursor === undefined)
      return { items: named, ...(patterns.length === 0 ? {} : { cursor: ofCatalogue }), ...(reason === undefined ? {} : { reason }) }
    const isNamed = new Set(named.map(permissionText))
    const after = cursor.slice(ofCatalogue.length)
    const entries = await permissions({}, { limit, consistent: true, ...(after === '' ? {} : { cursor: after }) })
    const covered = entries.items
      .flatMap((item) => permissionIn(item) ?? [])
      .filter((entry) => !isPattern(entry) && !isNamed.has(permissionText(entry)) && patterns.some((pattern) => covers(pattern, entry)))
    return { items: covered, ...(entries.cursor === undefined ? {} : { cursor: `${ofCatalogue}${entries.cursor}` }) }
  }
}

const scope = (type: ScopeType) => ({
  asked: ({ id }: { readonly id: string }) => ({ [type]: id }),
  told: (item: ListItem) => (attributeOf(item, 'scope_type') === type ? textIn(item, 'scope_id') : []),
})

/** A user has a permission (the action, `module:action:resource`) at a client, project or building (the resource). The context may name a module. */
export const accountAuthzen = (served: AuthzenServed): AuthzenMapping => ({
  subject: types({ user: { asked: ({ id }) => ({ user: id }), told: (item) => textIn(item, 'user_id') } }),
  action: { asked: ({ name }) => actionAsked(name), told: (item) => permissionOf(item).map(actionName) },
  resource: types({ client: scope('client'), project: scope('project'), building: scope('building') }),
  context: ({ module_id, include_trial, ...others }) => ({
    fields: { ...(module_id === undefined ? {} : { module_id }), ...(include_trial === undefined ? {} : { include_trial }) },
    unused: Object.keys(others),
  }),
  lists: { action: heldActions(served) },
})
