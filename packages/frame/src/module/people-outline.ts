import type { AnyDesign } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { AccessOutline, GrantOutline, PermissionOutline } from '../access/outline.ts'
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
  const [item] = grants.flatMap(({ roles }) => roles ?? [])
  if (item !== undefined) {
    const { entity, parent, links, ...listing } = item
    const permissions = { ...listing, ...(links === undefined ? {} : { entity: links }) }
    return {
      ...{ entity, ...(parent === undefined ? {} : { parent }) },
      ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
    }
  }
  const [tied] = grants.flatMap(({ ties }) => ties ?? [])
  if (tied !== undefined) {
    const { roles, actions: entity, ...columns } = tied
    const role = otherEnd(design, roles, group)
    const row = keyOfAction(design, action)
    const permissions = { entity, ...(row === undefined ? {} : { rows: [row] }), ...columns }
    return { ...(role === undefined ? {} : { entity: role }), permissions }
  }
  const declared = grants.flatMap((grant) => (grant.role === undefined ? [] : Object.entries(grant.actions ?? {})))
  const all = (of: readonly string[]) => (of.includes(everything) ? actions : of)
  return declared.length === 0 ? undefined : { declared: Object.fromEntries(declared.map(([role, of]) => [role, all(of)])) }
}

function outlineIn(design: AnyDesign, access: AccessOutline): PeopleOutline {
  const { subject, place, part, ways, needs } = access
  const [above = []] = ways.map(({ within }) => Object.entries(within)).sort((one, other) => other.length - one.length)
  const inner = [place, ...above.map(([, entity]) => entity)]
  const places = inner.map((entity, index) => ({ entity, ...(above[index] === undefined ? {} : { within: above[index][0] }) }))
  const group = ways.find((way) => way.group !== undefined)?.group
  const ties = [...needs, ...ways].flatMap((way) => way.grants)
  const tied = ties.flatMap((tie) => (tie.ties === undefined ? [] : [{ entity: tie.ties.roles }]))
  // A group that itself refers to the place grants nothing by that.
  const grants: readonly GrantOutline[] = [...ties.filter(({ entity }) => entity !== group), ...tied]
  const role = roleIn(design, access, group, ties)
  return {
    ...{
      person: subject,
      places: [...places.reverse(), ...(part === undefined ? [] : [{ entity: part.entity, within: part.within }])],
      ...(group === undefined ? {} : { group }),
    },
    grants: [...new Map(grants.map(({ entity, from, until, role: by }) => [entity, { entity, from, until, role: by }])).values()],
    ...(role === undefined ? {} : { role }),
  }
}

/** Who has what where, by a module's access; undefined for a design that tells nothing of it. */
export const peopleOf = ({ design, access }: Pick<DesignModule, 'design' | 'access'>): PeopleOutline | undefined =>
  access && outlineIn(design, access.outline)
