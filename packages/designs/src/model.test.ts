import fc from 'fast-check'
import { expect, test } from 'vitest'
import { engineSender } from '../../../test/engine/endpoint.ts'
import { isDeep } from '../../../test/properties/depth.ts'
import { courseOf } from '../test/model/course.ts'
import { play } from '../test/model/play.ts'
import { Sequences } from '../test/model/sequences.ts'
import { lineOf, type Step } from '../test/model/step.ts'
import { Tally } from '../test/model/tally.ts'
import { designModules } from './design-modules.ts'

// Random work on tables of every design, step by step, and on a model of plain records that knows only what the design declares: each step gives
// what the model says, each refusal is foreseen, and after each write every item of the table is what it must be, attribute by attribute.

const seed = 20_260_208
const sequences = isDeep ? 26 : 9
/** Steps of a sequence that are left to chance. */
const anything = 60

function report({ seed, counterexamplePath, counterexample, errorInstance, numShrinks }: fc.RunDetails<[readonly Step[]]>): string {
  const lines = (counterexample?.[0] ?? []).map(lineOf)
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return [`seed ${seed}, path ${counterexamplePath}, ${numShrinks} times shrunk`, ...lines, '', why].join('\n')
}

test.each([...designModules.values()].map(({ design }) => [design.name, design] as const))(
  'a table of %s is what a model of plain records is, after each of thousands of random steps',
  async (_, design) => {
    const tally = new Tally()
    const sender = engineSender()
    const property = fc.asyncProperty(new Sequences(design, anything), (steps) => play(design, sender, steps, tally.watch))
    const details = await fc.check(property, { seed, numRuns: sequences })
    if (details.failed) throw new Error(report(details))
    expect(tally.steps).toBe(sequences * courseOf(design, anything).length)
    if (!isDeep) return
    expect(tally.steps).toBeGreaterThan(1500)
    expect(tally.missing(design)).toEqual([])
  },
)
