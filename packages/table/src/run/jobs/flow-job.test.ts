import { describe, expect, test } from 'vitest'
import { Clock, depotOf, ownDepot } from '../../../test/depot/table.ts'
import { FreeholdError } from '../../errors.ts'
import type { JobHandlers } from '../runtime.ts'
import { lease_ms } from './job.ts'

const subject = 'PERSON#ada'

/** A handler that says what it was given, and fails as often as it is told to. */
function counting(failures = 0) {
  const runs: unknown[] = []
  let left = failures
  const jobHandlers: JobHandlers = {
    tidy: async ({ input, createdAt, advance }) => {
      runs.push({ input, createdAt })
      await advance(1)
      if (left-- > 0) throw new FreeholdError('Unavailable', 'not now')
      await advance(1)
    },
  }
  return { runs, jobHandlers }
}

describe('a job of a flow', () => {
  test('is done with what it was started with, and leaves no record', async () => {
    const { runs, jobHandlers } = counting()
    const clock = new Clock()
    const table = await ownDepot({ jobHandlers, now: clock.now })
    const seen: unknown[] = []
    const watched = depotOf(table.runtime.table, { jobHandlers, now: clock.now, onProgress: (progress) => seen.push(progress) })
    const { id } = await watched.jobs.start('tidy', { subject, input: { shelves: [1, 2] } })
    expect(runs).toEqual([{ input: { shelves: [1, 2] }, createdAt: clock.at.toISOString() }])
    expect(seen).toEqual([
      { job: id, kind: 'flow', subject: `tidy ${subject}`, done: 1 },
      { job: id, kind: 'flow', subject: `tidy ${subject}`, done: 2 },
    ])
    expect(await table.jobs.list()).toEqual([])
  })

  test('without a waiting caller is recorded first, and done by a program that resumes jobs', async () => {
    const { runs, jobHandlers } = counting()
    const table = await ownDepot({ jobHandlers })
    await table.jobs.start('tidy', { subject, input: null, wait: false })
    expect(runs).toEqual([])
    expect((await table.jobs.list()).map(({ kind, entity, key }) => [kind, entity, key.PK])).toEqual([['flow', 'tidy', subject]])
    const other = depotOf(table.runtime.table, { jobHandlers })
    expect(await other.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
    expect(runs).toHaveLength(1)
    expect(await table.jobs.list()).toEqual([])
  })

  test('that failed stays, and is run again from its beginning', async () => {
    const { runs, jobHandlers } = counting(1)
    const clock = new Clock()
    const table = await ownDepot({ jobHandlers, now: clock.now })
    await expect(table.jobs.start('tidy', { subject, input: 'all' })).rejects.toMatchObject({
      code: 'Pending',
      details: { pending: [{ kind: 'flow', entity: 'tidy', reason: { code: 'Unavailable' } }] },
    })
    const other = depotOf(table.runtime.table, { jobHandlers, now: clock.now })
    expect((await other.jobs.resume()).held).toHaveLength(1)
    expect(await table.jobs.resume()).toEqual({ done: 0, held: [], failed: [] })
    clock.forward(lease_ms + 1)
    expect(await table.jobs.resume()).toEqual({ done: 1, held: [], failed: [] })
    expect(runs).toHaveLength(2)
    expect(runs[0]).toEqual(runs[1])
  })

  test('that another worker has taken over goes on there alone', async () => {
    const clock = new Clock()
    const runs: string[] = []
    const table = await ownDepot({ now: clock.now })
    const other = depotOf(table.runtime.table, { now: clock.now, jobHandlers: { tidy: async () => void runs.push('other') } })
    const slow: JobHandlers = {
      tidy: async ({ advance }) => {
        runs.push('first')
        clock.forward(lease_ms + 1)
        await other.jobs.resume()
        // A handler that swallows what it must not keeps the record of nobody's job from nobody.
        await advance(1).catch(() => undefined)
      },
    }
    const first = depotOf(table.runtime.table, { now: clock.now, jobHandlers: slow })
    await first.jobs.start('tidy', { subject, input: null })
    expect(runs).toEqual(['first', 'other'])
    expect(await table.jobs.list()).toEqual([])
  })

  test('that nothing here would do is refused, and left to who can where it is found', async () => {
    const { jobHandlers } = counting()
    const table = await ownDepot({ jobHandlers })
    const without = depotOf(table.runtime.table)
    await expect(without.jobs.start('tidy', { subject, input: null })).rejects.toMatchObject({ code: 'UnknownName' })
    await expect(table.jobs.start('constructor', { subject, input: null })).rejects.toMatchObject({ code: 'UnknownName' })
    expect(await table.jobs.list()).toEqual([])
    await table.jobs.start('tidy', { subject, input: null, wait: false })
    expect((await without.jobs.resume()).failed.map(({ error }) => error.code)).toEqual(['UnknownName'])
    expect(await table.jobs.list()).toHaveLength(1)
  })
})
