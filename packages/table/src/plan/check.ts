import type { Condition } from './condition.ts'
import type { Planned } from './known.ts'
import type { Prepared } from './step.ts'

type Check = Extract<Prepared, { verb: 'check' }>

/** Plans a check: the item is there, is not being deleted, and has the version and the attributes that were named. */
export function planCheck({ step, entity, key, version, where }: Check): Planned {
  const conditions: Condition[] = [{ is: 'live' }]
  if (version !== undefined) conditions.push({ is: 'version', version })
  for (const [attribute, value] of Object.entries(where)) conditions.push({ is: 'equal', attribute, value })
  return { actions: [{ kind: 'check', key, conditions, origin: { step, role: 'item', entity: entity.name } }] }
}
