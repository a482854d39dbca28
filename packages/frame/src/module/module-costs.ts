import { type FlowCost, flowCosts } from '../flow/flow-costs.ts'
import { type DesignModule, samplesOf } from './design-module.ts'

const begin_ms = Date.parse('2026-01-01T00:00:00.000Z')

/**
 * What the flows of a design cost on its samples, in a table in memory: the package `@freehold/engine` must be there. None for a module without samples.
 * The clock goes on by a millisecond whenever it is read, so that each run counts the same.
 */
export async function moduleCosts(module: DesignModule): Promise<readonly FlowCost[]> {
  const { design, flows } = module
  const samples = samplesOf(module)
  if (flows === undefined || samples === undefined) return []
  const { testTable } = await import('@freehold/table/testing')
  return flowCosts(design, flows, async () => {
    let passed_ms = 0
    const now = () => new Date(begin_ms + passed_ms++)
    const table = await testTable(design, { now, jobHandlers: flows.jobHandlers })
    return { table, sampled: await samples(table) }
  })
}
