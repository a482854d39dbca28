import type { AnyDesign } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { AccessOutline, GrantOutline } from '../access/outline.ts'
import { everything } from '../access/way.ts'
import type { DesignModule } from './design-module.ts'

/** A place, from the outermost in. */
export interface PlaceOutline {
  readonly entity: string
  /** The attribute that names the place that contains it. */
  readonly within?: string
}

/** An item that grants something, or that ties a person to what is granted something. */
export interface HeldOutline {
  readonly entity: string
  /** The attributes that hold its bounds. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  /** The attribute that names its role. */
  readonly role?: string | undefined
}

/** How a role says what it allows: a grid of rows and columns. */
export interface PermissionOutline {
  /** The items that hang on a role, one for each row. */
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

export interface RoleOutline {
  /** The entity of roles that are items. */
  readonly entity?: string
  /** The attribute that names the role from which one inherits. */
  readonly parent?: string
  /** Roles that the design declares, each with its actions. */
  readonly declared?: Readonly<Record<string, readonly string[]>>
  readonly permissions?: PermissionOutline
}

/** Who are people, what are places and how they contain each other, what is a role, and what grants it until when: as data for a console. */
export interface PeopleOutline {
  readonly person: string
  readonly places: readonly PlaceOutline[]
  /** The entity of groups, which stand between people and what is granted. */
  readonly group?: string
  readonly grants: readonly HeldOutline[]
  readonly role?: RoleOutline
}

/** What lies at the other end of the items of an edge. */
function otherEnd(design: AnyDesign, edge: string, end: string | undefined): string | undefined {
  const part = design.form.entities.get(edge)?.form.part
  return part?.kind === 'edge' ? part.edge.ends.find(({ to }) => to.name !== end)?.to.name : undefined
}

function keyOfAction(design: AnyDesign, action: string | undefined): string | undefined {
  const entity = action === undefined ? undefined : design.form.entities.get(action)
  return entity && keyPlaceholders(entity)[0]
}

function roleIn(design: AnyDesign, { action, actions }: AccessOutline, group: string | undefined, grants: readonly GrantOutline[]) {
  const item = grants.find(({ roles }) => roles !== undefined)?.roles
  if (item !== undefined) return { entity: item.entity, permissions: { list: item.list } }
  const ties = grants.find((grant) => grant.ties !== undefined)?.ties
  if (ties !== undefined) {
    const entity = otherEnd(design, ties.roles, group)
    const column = keyOfAction(design, action)
    const rows = column === undefined ? {} : { rows: [column] }
    return { ...(entity === undefined ? {} : { entity }), permissions: { entity: ties.actions, where: ties.where, ...rows } }
  }
  const declared = grants.flatMap((grant) => (grant.role === undefined ? [] : Object.entries(grant.actions ?? {})))
  const all = (of: readonly string[]) => (of.includes(everything) ? actions : of)
  return declared.length === 0 ? undefined : { declared: Object.fromEntries(declared.map(([role, of]) => [role, all(of)])) }
}

function outlineIn(design: AnyDesign, access: AccessOutline): PeopleOutline {
  const { subject, place, ways, needs } = access
  const [above = []] = ways.map(({ within }) => Object.entries(within)).sort((one, other) => other.length - one.length)
  const inner = [place, ...above.map(([, entity]) => entity)]
  const places = inner.map((entity, index) => ({ entity, ...(above[index] === undefined ? {} : { within: above[index][0] }) }))
  const group = ways.find((way) => way.group !== undefined)?.group
  const ties = [...needs, ...ways].flatMap((way) => way.grants)
  const grants: readonly GrantOutline[] = [...ties, ...ties.flatMap((tie) => (tie.ties === undefined ? [] : [{ entity: tie.ties.roles }]))]
  const role = roleIn(design, access, group, grants)
  return {
    ...{ person: subject, places: places.reverse(), ...(group === undefined ? {} : { group }) },
    grants: [...new Map(grants.map(({ entity, from, until, role: by }) => [entity, { entity, from, until, role: by }])).values()],
    ...(role === undefined ? {} : { role }),
  }
}

/** What a module says of people and places, or what follows from its declared access; undefined for a design that tells of neither. */
export function peopleOf({ design, access, ...more }: Pick<DesignModule, 'design' | 'access'>): PeopleOutline | undefined {
  // Nothing else of a module has this name.
  if ('people' in more) return more.people as PeopleOutline
  return access === undefined ? undefined : outlineIn(design, access.outline)
}
