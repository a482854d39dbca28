import type { DesignForm } from '../design/design.ts'
import type { Action } from './action.ts'
import { planCheck } from './check.ts'
import { planCreate } from './create.ts'
import type { TableKey } from './keys.ts'
import { type Known, knownFrom, type Needs, type Planned } from './known.ts'
import { planRemove } from './remove.ts'
import type { Prepared } from './step.ts'
import type { Stored } from './stored.ts'
import { planChange } from './update.ts'

/** What planning a whole write gives: what to read first, or everything to send. */
export type WritePlan =
  | { readonly needs: readonly TableKey[] }
  | { readonly needs?: undefined; readonly steps: ReadonlyMap<Prepared, Planned> }

export interface Planning {
  readonly form: DesignForm
  readonly now: Date
  /** The id of the job that a step may need; the same each time it is asked for one step. */
  jobOf(prepared: Prepared): string
}

function planStep(prepared: Prepared, known: Known, { form, now, jobOf }: Planning): Needs | Planned {
  switch (prepared.verb) {
    case 'create':
      return planCreate(prepared, form, known, now)
    case 'update':
    case 'move':
      return planChange(prepared, form, known, now)
    case 'remove':
      return planRemove(prepared, form, known, jobOf(prepared), now)
    case 'check':
      return planCheck(prepared)
  }
}

/** Creations of nodes come first, so that the edges of the same write find their ends. */
function inOrder(steps: readonly Prepared[]): readonly Prepared[] {
  const rank = ({ verb, entity }: Prepared) => (verb === 'create' ? (entity.form.part.kind === 'edge' ? 1 : 0) : 2)
  return [...steps].sort((a, b) => rank(a) - rank(b))
}

/** Plans all steps of one write against what has been read: pure, and the same each time for the same input. */
export function planWrite(steps: readonly Prepared[], read: ReadonlyMap<string, Stored | undefined>, planning: Planning): WritePlan {
  const plans = new Map<Prepared, Planned>()
  const actions: Action[] = []
  const needs: TableKey[] = []
  for (const step of inOrder(steps)) {
    const plan = planStep(step, knownFrom(read, actions), planning)
    if (plan.needs !== undefined) needs.push(...plan.needs)
    else {
      plans.set(step, plan)
      actions.push(...plan.actions)
    }
  }
  return needs.length > 0 ? { needs } : { steps: plans }
}
