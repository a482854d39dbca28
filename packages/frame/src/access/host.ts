import { type AnyDesign, checking, type Entity, type Runtime } from '@freehold/table'
import { consistent, day_ms } from '@freehold/table/runtime'
import type { Decider } from '../decision/decision.ts'
import { type ActingUser, denied, type FlowHost, type FlowTable, type HostTenants } from '../flow/flow-host.ts'
import { type BasisOf, evidenceBasis } from '../flow/permission/evidence-basis.ts'
import type { BasisItem } from '../flow/permission/permission-basis.ts'
import type { Conditions, Declared } from './declared.ts'
import { asText, type Fields, hasValues } from './link.ts'
import { words } from './reason.ts'
import { isLack, type Tie } from './tie.ts'

type Acts<T extends FlowTable, U extends ActingUser, W> = Pick<FlowHost<T, U, W>, 'actingUser' | 'basisOfUser' | 'tenants'>

export type AccessHost<T extends FlowTable, U extends ActingUser, W> = Acts<T, U, W> &
  Pick<FlowHost<T, U, W>, 'design' | 'decide' | 'questionOf'> & { readonly basisOf: BasisOf }

/** A subject or a tenant: its key, and the values with which it counts. */
interface Counting {
  readonly entity: Entity
  readonly id: string
  readonly conditions: Conditions | undefined
}

/** The tenants of subjects: `of` is the attribute by which a subject names its own. */
export interface OfTenant extends Counting {
  readonly of: string
  /** A subject of none may do nothing. */
  readonly isNeeded: boolean
}

/** The end of what an item gives, of a day the end of that. */
function endOf(entity: Entity, attribute: string | undefined, end: unknown): number | undefined {
  const isDay = entity.attributes[attribute ?? '']?.kind.name === 'day'
  return typeof end === 'string' ? Date.parse(end) + (isDay ? day_ms : 0) : undefined
}

const isoOf = (end_ms: number | undefined) => (end_ms === undefined ? {} : { until: new Date(end_ms).toISOString() })

const read = (table: FlowTable, { entity, id }: Counting, value: string): Promise<Fields | undefined> =>
  // The key was checked when access was declared.
  table.repositoryNamed(entity.name).get({ [id]: value } as never, consistent)

function basisIn(kind: BasisItem['kind'], { entity, id, conditions }: Counting, value: string, more?: Fields): BasisItem {
  // The key and the conditions were checked when access was declared.
  const check = checking(entity, { [id]: value } as never, { where: { ...conditions, ...more } } as never)
  return { kind, name: `${entity.name} ${value}`, check }
}

/**
 * Who acts, as a flow host knows it, and its tenant.
 * @param bound the attribute that holds the last day or instant of a subject
 */
export function actingOf<T extends FlowTable, U extends ActingUser, W>(
  design: AnyDesign,
  subject: Counting,
  bound: string | undefined,
  tenant: OfTenant | undefined,
  tenantAt: (scope: W) => string,
): Acts<T, U, W> {
  const { entity, conditions = {} } = subject
  const called = words(entity.name)
  const tenantOf = (user: object) => tenant && asText(Reflect.get(user, tenant.of))
  const tenants: HostTenants<T, U, W> | undefined = tenant && {
    ofUser: tenantOf,
    of: tenantAt,
    // Scopes of a design with tenants name theirs.
    scope: (id) => ({ [design.tenants?.by ?? '']: id }) as W,
    basis: (id) => basisIn('tenant', tenant, id),
    check: async ({ table, flow }, id) => {
      const item = await read(table, tenant, id)
      if (item === undefined || item.deleting !== undefined || !hasValues(item, tenant.conditions))
        throw denied(flow, `${tenant.entity.name}NotActive`, `Your ${words(tenant.entity.name)} is not active.`)
    },
  }
  return {
    actingUser: async (table, id) => {
      const user = await read(table, subject, id)
      if (user === undefined) throw denied(undefined, `Unknown${entity.name}`, `There is no such ${called} here.`)
      const of = tenantOf(user)
      if (user.deleting !== undefined) throw denied(undefined, 'BeingDeleted', `This ${called} is being deleted.`, of)
      const end_ms = endOf(entity, bound, user[bound ?? ''])
      const isOver = end_ms !== undefined && end_ms <= table.runtime.now().getTime()
      // It is an item of the subject.
      if (hasValues(user, conditions) && !isOver && (of !== undefined || tenant?.isNeeded !== true)) return { ...user, id } as U
      const [state] = Object.entries(conditions).flatMap(([name, value]) => (user[name] === value ? [] : [user[name]]))
      const is = typeof state === 'string' ? state : 'not active, or past its end'
      throw denied(undefined, `${entity.name}NotActive`, `This ${called} is ${is}.`, of)
    },
    basisOfUser: (user) => {
      const names = [tenant?.of, bound].flatMap((name) => name ?? [])
      const as = Object.fromEntries(names.map((name) => [name, Reflect.get(user, name) ?? null]))
      return { ...basisIn('user', subject, user.id, as), ...isoOf(endOf(entity, bound, as[bound ?? ''])) }
    },
    ...(tenants && { tenants }),
  }
}

/** The items by which a tie is decided: its own, or the side that lists it. */
const itemsOf = ({ entity, toFar, toNear }: Tie): readonly Entity[] => [
  entity,
  ...[toFar, toNear].flatMap((listing) => (isLack(listing) ? [] : [listing.side])),
]

/** The part of a flow host that follows from an access declaration. Each write checks the chain that allowed it: the place and what is above it, the grants, groups and roles. */
export function hostOf<T extends FlowTable, U extends ActingUser, W>(
  { design, subject, place, action: item, routes, where, until, tenancy }: Declared,
  decide: (runtime: Runtime) => unknown,
  placeOf: (scope: W) => string,
): AccessHost<T, U, W> {
  const counting = ({ entity, id }: typeof subject): Counting => ({ entity, id, conditions: where.get(entity.name) })
  const tenant = tenancy && { ...counting(place), of: tenancy.ofSubject, isNeeded: true }
  const ties = routes.flatMap((route) => route.ties.flatMap((tie) => itemsOf(tie).map((entity) => [entity, tie] as const)))
  const basis = evidenceBasis(
    // A tenant is checked beside.
    ...(tenancy === undefined ? [[place.entity, place.sort === 'fact' ? 'scope' : 'definition'] as const] : []),
    ...routes.flatMap(({ references }) => references.map(({ to }) => [to.node, 'scope'] as const)),
    ...ties.map(([entity]) => [entity, 'grant'] as const),
    ...routes.flatMap(({ ties: [inner, outer] }) => (outer === undefined ? [] : [[inner.far.node, 'definition'] as const])),
    ...ties.flatMap(([, { allowing }]) => (allowing?.kind === 'role' ? [[allowing.role, 'definition'] as const] : [])),
    ...routes.flatMap(({ tied }) => {
      if (tied === undefined) return []
      const { roles, actions, where: allowing, flagged } = tied
      const all = [roles.entity, roles.far.node, ...(flagged === undefined ? [actions.far.node] : [])]
      const nodes = all.map((entity) => [entity, 'definition'] as const)
      return [...nodes, [actions.entity, 'definition', Object.fromEntries(allowing)] as const]
    }),
  )
  return {
    design,
    // The decider that follows from the same declaration.
    decide: decide as (runtime: Runtime) => Decider,
    ...actingOf<T, U, W>(design, counting(subject), until.get(subject.entity.name), tenant, placeOf),
    // An action that is an item is the resource of the permission.
    questionOf: ({ id }, { action, resource }, scope) => ({
      question: {
        ...{ [subject.field]: id, [place.field]: placeOf(scope), [item?.field ?? 'action']: item === undefined ? action : resource },
        ...(tenancy && { [tenancy.field]: resource }),
      },
      level: words(place.entity.name),
    }),
    basisOf: (evidence) => {
      const found = basis(evidence)
      const [, tie] = ties.find(([entity]) => entity.name === evidence.entity) ?? []
      const end_ms = tie && endOf(tie.entity, tie.until, evidence.as?.[tie.until ?? ''])
      return found && { ...found, ...isoOf(end_ms) }
    },
  }
}
