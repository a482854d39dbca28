import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { ownerOf } from '../design/relations.ts'
import { FreeholdError, invalidInput } from '../errors.ts'

import { planAtomic } from './atomic.ts'
import { planCheck } from './check.ts'
import { planCreate } from './create.ts'
import { keyText, type TableKey } from './keys.ts'
import { type Known, knownFrom, type Needs, type Planned } from './known.ts'
import { planRemove } from './remove.ts'
import type { Prepared } from './step.ts'
import type { Stored } from './stored.ts'
import type { TenantScope, WriteContext } from './tenant-scope.ts'
import { planChange } from './update.ts'

/** The plan of a write: the keys to read first, the failures by step name, or all actions to send. */
export type WritePlan =
  | { readonly needs: readonly TableKey[]; readonly failures?: undefined }
  | { readonly needs?: undefined; readonly failures: ReadonlyMap<string, FreeholdError> }
  | { readonly needs?: undefined; readonly failures?: undefined; readonly steps: ReadonlyMap<Prepared, Planned> }

export interface Planning extends WriteContext {
  readonly form: DesignForm
  /** The tenant scope of checks that have another scope than the steps, or none. */
  readonly tenantScopes?: ReadonlyMap<Prepared, TenantScope | undefined>
  /** The id of the job that a step may need. It is the same at each call for a step. */
  jobOf(prepared: Prepared): string
}

/** A version that another program does not count would promise what nobody checks. */
function checkCounted(prepared: Prepared, { names }: DesignForm): void {
  if (names === undefined || names.isCounted || prepared.verb === 'create' || prepared.version === undefined) return
  const message =
    'tells nothing here, since `names` of the design have no version that every program counts: ask by `where` for what was read'
  throw invalidInput(prepared.entity.name, [{ path: ['version'], message }])
}

function planStep(prepared: Prepared, known: Known, planning: Planning): Needs | Planned {
  const { form, now, tenantScopes, jobOf } = planning
  checkCounted(prepared, form)
  switch (prepared.verb) {
    case 'create':
      return planCreate(prepared, form, known, planning)
    case 'update':
    case 'move':
      if (prepared.change.atomic.length > 0) return planAtomic(prepared, form, planning)
      return planChange(prepared, form, known, planning)
    case 'remove':
      return planRemove(prepared, form, known, jobOf(prepared), planning)
    case 'check':
      return planCheck(prepared, tenantScopes?.has(prepared) === true ? { now, tenantScope: tenantScopes.get(prepared) } : planning)
  }
}

/** The length of the longest chain of references from an entity. Its targets have shorter ones. A circle counts once. */
function longestFrom(entity: Entity, above: readonly Entity[]): number {
  const targets = entity.form.references.map(({ to }) => ownerOf(to)).filter((to) => to !== entity && !above.includes(to))
  return Math.max(0, ...targets.map((to) => 1 + longestFrom(to, [...above, entity])))
}

const depths = new WeakMap<Entity, number>()

function depthOf(entity: Entity): number {
  const depth = depths.get(entity) ?? longestFrom(entity, [])
  depths.set(entity, depth)
  return depth
}

/**
 * The steps in order: creations of entities first, targets before the items that refer to them, so that copies and edges find their ends.
 */
function inOrder(steps: readonly Prepared[]): readonly Prepared[] {
  if (steps.length < 2) return steps
  const nodes = steps.filter(({ verb, entity }) => verb === 'create' && entity.form.part.kind !== 'edge')
  const edges = steps.filter(({ verb, entity }) => verb === 'create' && entity.form.part.kind === 'edge')
  nodes.sort((a, b) => depthOf(a.entity) - depthOf(b.entity))
  return [...nodes, ...edges, ...steps.filter(({ verb }) => verb !== 'create')]
}

/** Plans all steps of one write, given the items that were read. Pure: the same input always gives the same plan. */
export function planWrite(steps: readonly Prepared[], read: ReadonlyMap<string, Stored | undefined>, planning: Planning): WritePlan {
  const plans = new Map<Prepared, Planned>()
  const pending = new Map<string, Stored>()
  const known = knownFrom(read, pending)
  const needs: TableKey[] = []
  const failures = new Map<string, FreeholdError>()
  for (const step of inOrder(steps)) {
    try {
      const plan = planStep(step, known, planning)
      if (plan.needs !== undefined) needs.push(...plan.needs)
      else {
        plans.set(step, plan)
        for (const action of plan.actions) if (action.kind === 'put') pending.set(keyText(action.key), action.item)
      }
    } catch (error) {
      if (!(error instanceof FreeholdError)) throw error
      failures.set(step.step, error)
    }
  }
  if (needs.length > 0) return { needs }
  return failures.size > 0 ? { failures } : { steps: plans }
}
