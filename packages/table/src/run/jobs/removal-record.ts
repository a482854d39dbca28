import { createHash } from 'node:crypto'
import type { Entity } from '../../design/form.ts'
import type { Action } from '../../plan/action.ts'
import { planCreate } from '../../plan/create.ts'
import { keyText, tableKey } from '../../plan/keys.ts'
import { knownFrom } from '../../plan/known.ts'
import { prepare } from '../../plan/step.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { recordRemoval } from '../runtime.ts'
import type { Removal } from './removal.ts'

/** Ids that are the same whenever the same removal takes the same item along. */
function derivedIds(text: string) {
  const digest = (n: number) => createHash('sha256').update(`${text} ${n}`).digest()
  let count = 0
  return {
    // RFC 9562, section 5.8: version 8, whose bits are ours to choose.
    uuid: () => {
      const hex = digest(count++).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
    ulid: () =>
      [...digest(count++).subarray(0, 26)].map((byte, index) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[byte % (index === 0 ? 8 : 32)]).join(''),
  }
}

/**
 * The actions that record an item which a removal takes along, for the transaction that deletes it. They have no conditions: the deletion names the
 * item as it was read, so that the transaction is applied once.
 */
export function removalRecord(
  { runtime, progress: { job } }: Pick<Removal, 'runtime' | 'progress'>,
  entity: Entity,
  item: Stored,
): Action[] {
  const record = runtime.jobHandlers[recordRemoval]
  if (record === undefined || job.note === undefined) return []
  const now = runtime.now()
  const making = { now, ...derivedIds(JSON.stringify([job.id, keyText(tableKey(entity, item)), versionOf(item)])) }
  const { id, entity: of, key, note } = job
  return Object.entries(record({ entity, item }, { id, entity: of, key, note }, runtime)).flatMap(([name, step]) => {
    const prepared = prepare(name, step, making)
    if (prepared.verb !== 'create') throw new TypeError(`The record of a removal creates items: '${name}' does not.`)
    const plan = planCreate(prepared, runtime.design.form, knownFrom(new Map()), { now, tenantScope: undefined })
    if (plan.needs !== undefined) throw new TypeError(`The record of a removal refers to nothing: the ${prepared.entity.name} does.`)
    return plan.actions.map((action) => ({ ...action, conditions: [] }))
  })
}
