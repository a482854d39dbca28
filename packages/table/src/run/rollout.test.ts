import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Change } from '../../test/any/change.ts'
import { cases } from '../../test/any/changes.ts'
import { Any, type Choice, choices } from '../../test/any/design.ts'
import { handOver, tableName } from '../../test/any/hand-over.ts'
import { play, type Turn, turns } from '../../test/any/rollout.ts'
import { Clock } from '../../test/depot/table.ts'
import { without } from '../design/without.ts'
import type { AnyDesign } from '../index.ts'
import { prove } from '../prove.ts'

/** What `prove` refuses may lose something in one version alone: a dependant that is not found is neither removed nor refuses the removal. */
function isProven(choice: Choice): boolean {
  const any = Any.of(choice)
  return any !== undefined && prove(any.design).isProven
}

/** The designs that are deployed one after the other: both versions, or in place of the second one the two deployments that do it. */
function deploymentsOf(choice: Choice, { before, after, deployments, without: left = [] }: Change): readonly AnyDesign[] {
  return [before, ...(deployments ?? [after])].flatMap((twist, at): AnyDesign[] => {
    const design: AnyDesign | undefined = Any.of(choice, twist)?.design
    return design === undefined ? [] : [without(design, ...(left[at] ?? []))]
  })
}

const numRuns = Number(process.env.FREEHOLD_ROLLOUT_RUNS ?? 1)

async function playAll(choice: Choice, change: Change, work: readonly Turn[], more: readonly Turn[]): Promise<void> {
  const [was, is, last] = deploymentsOf(choice, change)
  fc.pre(was !== undefined && is !== undefined && (change.deployments === undefined || last !== undefined))
  if (was === undefined || is === undefined) return
  const [clock, table] = [new Clock(), tableName()]
  const stage = { choice, change, clock, table }
  await play({ ...stage, designs: [was, is], work, isLater: false })
  if (last === undefined) return
  const { holds: _, ...second } = change
  if (change.apart === undefined) await play({ ...stage, change: second, designs: [is, last], work: more, isLater: true })
  else await play({ ...stage, change: second, designs: [last, last], table: await handOver(stage, is, last), work: more, isLater: true })
}

describe('two versions and the migration at once', () => {
  test.each(cases)('%s', async (_, make: (name: string) => Change) => {
    await fc.assert(
      fc.asyncProperty(
        choices.filter((choice) => isProven(choice)),
        fc.nat(2),
        fc.array(turns, { minLength: 5, maxLength: 5 + 2 * numRuns, size: 'max' }),
        fc.array(turns, { minLength: 3, maxLength: 3 + 2 * numRuns, size: 'max' }),
        async (choice, index, work, more) => {
          const change = make(`N${index}`)
          const chosen = change.within?.(choice) ?? choice
          fc.pre(isProven(chosen))
          await playAll(chosen, change, work, more)
        },
      ),
      { numRuns, endOnFailure: true },
    )
  })
})
