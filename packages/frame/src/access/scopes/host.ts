import { type AnyDesign, checking, type Runtime } from '@freehold/table'
import type { Decider } from '../../decision/decision.ts'
import type { ActingUser, FlowTable } from '../../flow/flow-host.ts'
import { type BasisOf, evidenceBasis } from '../../flow/permission/evidence-basis.ts'
import { type AccessHost, actingOf } from '../host.ts'
import { asText, type Fields } from '../link.ts'
import type { Scoped } from './scoped.ts'

/** The part of a flow host that follows from access at scopes. Each write checks the assignment that allowed it, its roles, and the scopes that count. */
export function scopedHostOf<T extends FlowTable, U extends ActingUser, W extends object>(
  design: AnyDesign,
  { subject, chain: { levels }, assigned, declaredRoles: roles, patterns: { parts }, where, of }: Scoped,
  decide: (runtime: Runtime) => unknown,
): AccessHost<T, U, W> {
  const conditionsOf = (name: string) => where[name] ?? {}
  const [first] = levels
  const outermost = first?.name ?? ''
  const tenant =
    of === undefined || first === undefined ? undefined : { ...first, conditions: conditionsOf(first.entity.name), of, isNeeded: false }
  const counting = { ...subject, conditions: conditionsOf(subject.entity.name) }
  const acting = actingOf<T, U, W>(design, counting, undefined, tenant, (scope) => asText(Reflect.get(scope, outermost)) ?? '')
  const found = evidenceBasis(...levels.map(({ entity }) => [entity, 'scope', conditionsOf(entity.name)] as const), [
    assigned.entity,
    'grant',
  ])
  /** Every change of what a role grants counts as a write of the role, and so does a change of the role above. */
  const roleBasis: BasisOf = ({ entity, id: { id = '', role_owner }, as }) => {
    if (entity !== roles.entity.name || role_owner === undefined || typeof as?.version !== 'number') return undefined
    const key = { ...(roles.of !== undefined && role_owner !== roles.system && { [roles.of]: role_owner }), [roles.id]: id }
    // Ids come from decisions, whose evidence is text: the check refuses an id that is none.
    const check = checking(roles.entity, key as never, { version: as.version } as never)
    return { kind: 'definition', name: `role ${role_owner} ${id}`, check }
  }
  return {
    ...acting,
    design,
    // The decider that follows from the same declaration.
    decide: decide as (runtime: Runtime) => Decider,
    // A permission is asked about at its level, or above that if the flow is.
    questionOf: ({ id }, { at, ...needs }, scope) => {
      const depth = levels.findIndex(({ type }) => type === at)
      const named = levels.slice(0, depth < 0 ? levels.length : depth + 1).filter(({ name }) => Reflect.get(scope, name) !== undefined)
      const values: Fields = { module: needs.module, action: needs.action }
      const question: Record<string, unknown> = { [subject.field]: id }
      for (const { type, name } of named) question[type] = Reflect.get(scope, name)
      question.permission = Object.fromEntries(parts.map((part) => [part, values[part] ?? needs.resource]))
      return { question, level: named.at(-1)?.type ?? first?.type ?? '' }
    },
    basisOf: (evidence, steps = []) => {
      if (evidence.state !== 'found') return undefined
      const at = steps.find(({ entity }) => entity === assigned.entity.name)?.id[assigned.type]
      const [depth, own] = [levels.findIndex(({ type }) => type === at), levels.findIndex(({ entity }) => entity.name === evidence.entity)]
      // A tenant is checked beside. A scope above that of the assignment grants nothing, so that it matters only if it may deny.
      const isLeftOut = own >= 0 && own <= depth && where[evidence.entity] === undefined
      if (isLeftOut || (own === 0 && acting.tenants !== undefined)) return undefined
      const end = asText(evidence.as?.[assigned.until ?? ''])
      const basis = roleBasis(evidence) ?? found(evidence)
      return basis && { ...basis, ...(end !== undefined && { until: end }) }
    },
  }
}
