import type { Declared } from './declared.ts'
import type { Route } from './route.ts'
import type { Tie } from './tie.ts'

/** How a role says what it allows: a grid of rows and columns. */
export interface PermissionOutline {
  /** The items that hang on a role, one for each row, or that link it to a catalogue. */
  readonly entity?: string
  /** The attribute of a role that lists what it allows, as records of the attributes below, or as texts. */
  readonly list?: string
  /** The values of a role with which its list counts, and the items do not. */
  readonly listed?: Readonly<Record<string, string>>
  /** The attributes whose values name a row, such as module and resource. */
  readonly rows?: readonly string[]
  /** The attribute whose value is the column: an action. */
  readonly column?: string
  /** Flags that are columns, each with the word for it. */
  readonly flags?: Readonly<Record<string, string>>
  /** The values with which an item allows; with others it denies. */
  readonly where?: Readonly<Record<string, string>>
  /** The entity of all that can be allowed, and the flag of what is dangerous. */
  readonly catalogue?: string
  readonly dangerous?: string
}

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
  readonly ties?: (Omit<PermissionOutline, 'entity'> & { readonly roles: string; readonly actions: string }) | undefined
  /** Roles that are items. `links`: the edge from them to a catalogue. */
  readonly roles?:
    | (Omit<PermissionOutline, 'entity'> & { readonly entity: string; readonly parent?: string; readonly links?: string })
    | undefined
}

export interface AccessOutline {
  readonly subject: string
  readonly place: string
  /** A part of a place, the attribute by which it names that, and the items that tie it to its members. */
  readonly part?: { readonly entity: string; readonly within: string; readonly members: string } | undefined
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
    const { attribute, flags = {} } = allowing.flagged ?? {}
    const columns = Object.fromEntries(Object.entries(flags).map(([action, flag]) => [flag, action]))
    const told = attribute === undefined ? { where: allowing.where } : { rows: [attribute], flags: columns }
    return { ...bounds, ties: { roles: roles.name, actions: actions.name, ...told } }
  }
  if (allowing.kind === 'value') return { ...bounds, role: allowing.attribute, actions: allowing.actions }
  return { ...bounds, role: allowing.attribute, roles: { entity: allowing.role.name, list: allowing.list } }
}

const wayOf = ({ references, ties }: Route): WayOutline => ({
  within: Object.fromEntries(references.map(({ attribute, to }) => [attribute, to.node.name])),
  group: ties.length === 1 ? undefined : ties[0].far.node.name,
  grants: ties.map(grantOf),
})

export function outlineOf({ subject, place, within, action, actions, grants, needs }: Declared): AccessOutline {
  const part = within && {
    ...{ entity: within.entity.name, within: within.ofPlace.by[place.id] ?? '' },
    members: within.member.entity.name,
  }
  const names = { subject: subject.entity.name, place: place.entity.name, part, action: action?.entity.name }
  return Object.freeze({ ...names, actions, ways: grants.map(wayOf), needs: needs.map(wayOf) })
}
