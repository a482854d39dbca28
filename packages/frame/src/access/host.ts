import { checking, type Entity, type Runtime } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'
import type { Decider } from '../decision/decision.ts'
import { type ActingUser, denied, type FlowHost, type FlowTable } from '../flow/flow-host.ts'
import { type BasisOf, evidenceBasis } from '../flow/permission/evidence-basis.ts'
import type { Declared } from './declared.ts'
import { hasValues } from './link.ts'
import { words } from './reason.ts'
import { isLack, type Tie } from './tie.ts'

export type AccessHost<T extends FlowTable, U extends ActingUser, W> = Pick<
  FlowHost<T, U, W>,
  'design' | 'decide' | 'actingUser' | 'questionOf' | 'basisOfUser'
> & { readonly basisOf: BasisOf }

/** The items by which a tie is decided: its own, or the side that lists it. */
const itemsOf = ({ entity, toFar, toNear }: Tie): readonly Entity[] => [
  entity,
  ...[toFar, toNear].flatMap((listing) => (isLack(listing) ? [] : [listing.side])),
]

/** The part of a flow host that follows from an access declaration. Each write checks the chain that allowed it: the place and what is above it, the grants, groups and roles. */
export function hostOf<T extends FlowTable, W>(
  { design, subject, place, action: item, routes, where, until, tenancy }: Declared,
  decide: (runtime: Runtime) => unknown,
  placeOf: (scope: W) => string,
): AccessHost<T, ActingUser, W> {
  const name = subject.entity.name
  const conditions = where.get(name) ?? {}
  const bound = until.get(name)
  /** The end of what an item gives, of a day the end of that. */
  const endOf = (entity: Entity, attribute: string | undefined, end: unknown): number | undefined => {
    const isDay = entity.attributes[attribute ?? '']?.kind.name === 'day'
    return typeof end === 'string' ? Date.parse(end) + (isDay ? day_ms : 0) : undefined
  }
  const ties = routes.flatMap((route) => route.ties.flatMap((tie) => itemsOf(tie).map((entity) => [entity, tie] as const)))
  const basis = evidenceBasis(
    [place.entity, place.sort === 'fact' ? 'scope' : 'definition'],
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
    actingUser: async (table, id) => {
      const user = await table.repositoryNamed(name).get({ [subject.id]: id } as never, { consistent: true })
      const values: Readonly<Record<string, unknown>> = user ?? {}
      const isLive = hasValues(values, conditions)
      const end_ms = endOf(subject.entity, bound, values[bound ?? ''])
      const isOver = end_ms !== undefined && end_ms <= table.runtime.now().getTime()
      if (user !== undefined && values.deleting === undefined && isLive && !isOver) return { ...user, id }
      if (values.deleting !== undefined) throw denied(undefined, 'BeingDeleted', `This ${words(name)} is being deleted.`)
      throw denied(undefined, `Unknown${name}`, `There is no such ${words(name)}, or it may do nothing now.`)
    },
    // An action that is an item is the resource of the permission.
    questionOf: ({ id }, { action, resource }, scope) => ({
      question: {
        ...{ [subject.field]: id, [place.field]: placeOf(scope), [item?.field ?? 'action']: item === undefined ? action : resource },
        ...(tenancy && { [tenancy.field]: resource }),
      },
      level: words(place.entity.name),
    }),
    basisOfUser: (user) => {
      const { id } = user
      const end: unknown = bound === undefined ? undefined : Reflect.get(user, bound)
      // The key, the conditions and the end were checked when access was declared.
      const as = { ...conditions, ...(bound !== undefined && { [bound]: end ?? null }) } as never
      const check = checking(subject.entity, { [subject.id]: id } as never, { where: as } as never)
      const end_ms = endOf(subject.entity, bound, end)
      return { kind: 'user', name: `${name} ${id}`, check, ...(end_ms !== undefined && { until: new Date(end_ms).toISOString() }) }
    },
    basisOf: (evidence) => {
      const found = basis(evidence)
      const [, tie] = ties.find(([entity]) => entity.name === evidence.entity) ?? []
      const end_ms = tie && endOf(tie.entity, tie.until, evidence.as?.[tie.until ?? ''])
      return found === undefined || end_ms === undefined ? found : { ...found, until: new Date(end_ms).toISOString() }
    },
  }
}
