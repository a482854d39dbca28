import type { Entity } from '../design/form.ts'
import { type Condition, unchanged } from './condition.ts'
import { notThere } from './item-words.ts'
import type { Planned } from './known.ts'
import { askingConditions } from './lacking.ts'
import type { Prepared } from './step.ts'
import { isReferable, type WriteContext, withinConditions } from './tenant-scope.ts'

type Check = Extract<Prepared, { verb: 'check' }>

/** The conditions of a live item: it exists, is not being deleted and has not expired (spec rules 12 and 15). */
export function alive({ form: { expires } }: Entity, now: Date): readonly Condition[] {
  return expires === undefined ? [{ is: 'live' }] : [{ is: 'live' }, { is: 'lasting', now, expires }]
}

/** Plans a check: the item is live, and has the expected version and attributes. */
export function planCheck({ step, entity, key, version, where, read }: Check, { now, tenantScope }: WriteContext): Planned {
  if (!isReferable(tenantScope, entity)) throw notThere(entity, key)
  const conditions: Condition[] = [...alive(entity, now), ...withinConditions(tenantScope, entity)]
  if (version !== undefined) conditions.push({ is: 'version', version })
  if (read !== undefined) conditions.push(unchanged(read))
  conditions.push(...askingConditions(entity, where))
  return { actions: [{ kind: 'check', key, conditions, origin: { step, role: 'item', entity: entity.name } }] }
}
