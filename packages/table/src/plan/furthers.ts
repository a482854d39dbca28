import { isDeepStrictEqual } from 'node:util'
import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyHoles } from '../design/reference.ts'
import type { Action, Origin } from './action.ts'
import type { Condition } from './condition.ts'
import type { Values } from './input.ts'
import { keyText } from './keys.ts'
import { storedItem } from './stored.ts'

/** That a guard or mirror is its owner's, or not there at all: another owner's is never touched. */
export function mine(owner: Entity, values: Readonly<Values>): Condition {
  const holes = keyHoles(owner).filter((hole) => values[hole] !== undefined)
  return { is: 'mine', attributes: Object.fromEntries(holes.map((hole) => [hole, values[hole]])) }
}

interface PlanningFurthers {
  readonly step: string
  readonly now: Date
  readonly extra?: (mirror: Entity) => Readonly<Values>
  readonly rewrite?: boolean
}

function isSame(before: Readonly<Values>, after: Readonly<Values>): boolean {
  return isDeepStrictEqual({ ...before, version: 0 }, { ...after, version: 0 })
}

/**
 * What happens to the guards and mirrors of an item that changes from `before` to `after` (undefined: it goes). An unchanged one
 * stays as it is, a moved one is deleted and put in the same transaction (spec rule 9). `extra` is what a mirror carries besides; `rewrite` puts
 * mirrors also where they have not changed.
 */
export function planFurthers(
  owner: Entity,
  form: DesignForm,
  before: Readonly<Values>,
  after: Readonly<Values> | undefined,
  version: number,
  { step, now, extra = () => ({}), rewrite = false }: PlanningFurthers,
): Action[] {
  return form.furthersOf(owner).flatMap((further): Action[] => {
    const role = further.form.part.kind === 'guard' ? 'guard' : 'mirror'
    const origin: Origin = { step, role, entity: further.name }
    const old = storedItem(further, before, version)
    const fresh = after === undefined ? undefined : storedItem(further, after, version)
    const item = fresh === undefined ? undefined : role === 'mirror' ? { ...fresh.item, ...extra(further) } : fresh.item
    if (old !== undefined && fresh !== undefined && item !== undefined && keyText(old.key) === keyText(fresh.key)) {
      const mayStay = !rewrite || role === 'guard'
      return mayStay && isSame(old.item, item) ? [] : [{ kind: 'put', key: fresh.key, item, conditions: [mine(owner, before)], origin }]
    }
    const actions: Action[] = []
    if (old !== undefined) actions.push({ kind: 'delete', key: old.key, conditions: [mine(owner, before)], origin })
    if (fresh !== undefined && item !== undefined) {
      actions.push({ kind: 'put', key: fresh.key, item, conditions: [{ is: 'absent', now, expires: further.form.expires }], origin })
    }
    return actions
  })
}
