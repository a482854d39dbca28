import type { Declared } from './declared.ts'
import type { Route } from './route.ts'
import type { Tie } from './tie.ts'

/** How an item grants, as data for a console. */
export interface GrantOutline {
  readonly entity: string
  /** The attributes that hold its bounds. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** The attribute that names what it allows: a role of the declaration, or the id of an entity that lists actions. */
  readonly role?: string | undefined
  /** By value of that attribute. */
  readonly actions?: Readonly<Record<string, readonly string[]>> | undefined
  /** The items by which roles are tied to a group, and actions to roles. */
  readonly ties?: { readonly roles: string; readonly actions: string; readonly where: Readonly<Record<string, string>> } | undefined
  readonly roles?: { readonly entity: string; readonly list: string } | undefined
}

export interface AccessOutline {
  readonly subject: string
  readonly place: string
  /** The entity of actions that are items. */
  readonly action?: string | undefined
  readonly actions: readonly string[]
  readonly ways: readonly WayOutline[]
  /** Each must lead there, too. */
  readonly needs: readonly WayOutline[]
}

export interface WayOutline {
  /** What contains the place, by attribute: `{ teamId: 'Team' }`, from the nearest up. */
  readonly within: Readonly<Record<string, string>>
  /** The entity between the place and the subject, if the way leads by one. */
  readonly group?: string | undefined
  /** From the place to the subject. */
  readonly grants: readonly GrantOutline[]
}

function grantOf({ entity, from, until, allowing }: Tie): GrantOutline {
  const bounds = { entity: entity.name, from, until }
  if (allowing === undefined) return bounds
  if (allowing.kind === 'all') return { ...bounds, actions: { '': allowing.actions } }
  if (allowing.kind === 'ties') {
    const [roles, actions] = allowing.ties
    return { ...bounds, ties: { roles: roles.name, actions: actions.name, where: allowing.where } }
  }
  if (allowing.kind === 'value') return { ...bounds, role: allowing.attribute, actions: allowing.actions }
  return { ...bounds, role: allowing.attribute, roles: { entity: allowing.role.name, list: allowing.list } }
}

const wayOf = ({ references, ties }: Route): WayOutline => ({
  within: Object.fromEntries(references.map(({ attribute, to }) => [attribute, to.node.name])),
  group: ties.length === 1 ? undefined : ties[0].far.node.name,
  grants: ties.map(grantOf),
})

export function outlineOf({ subject, place, action, actions, grants, needs }: Declared): AccessOutline {
  const names = { subject: subject.entity.name, place: place.entity.name, action: action?.entity.name }
  return Object.freeze({ ...names, actions, ways: grants.map(wayOf), needs: needs.map(wayOf) })
}
