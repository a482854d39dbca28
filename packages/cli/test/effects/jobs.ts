import { randomUUID } from 'node:crypto'
import { accountManagement } from '@freehold/designs/account-management'
import { rebac } from '@freehold/designs/rebac'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { expect } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { startFaultProxy } from '../../../../test/faults/fault-proxy.ts'
import { connectBounds } from '../../src/opening/connect-bounds.ts'
import { sampleTable } from '../organisation.ts'
import { freehold, freshTable } from '../recorded-shell.ts'
import { settledBy } from '../settled.ts'
import type { EffectsOf } from './effect.ts'
import { narrow, served } from './served.ts'

const dynamo = { endpoint }

/** A table of accounts with jobs that were left, and a command on it. */
async function leaving(many: number): Promise<readonly string[]> {
  const table = freshTable()
  const accounts = connect(accountManagement, {
    table,
    dynamo,
    jobHandlers: { revokeTokens: async () => {} },
    now: () => new Date(Date.now() - 60_000),
  })
  await ensureTable(accounts.runtime)
  for (let count = 0; count < many; count++) {
    const user_id = randomUUID()
    const input = { user_id, caller: { kind: 'operator' } }
    await accounts.jobs.start('revokeTokens', { subject: `USER#${user_id}`, input, wait: false })
  }
  accounts.close()
  return ['query', 'account-management', 'clients', '--table', table, '--json']
}

/** The id of a user of a rebac table. */
async function userIn(table: string, name: string): Promise<string> {
  const people = connect(rebac, { table, dynamo })
  const { items } = await people.users({})
  people.close()
  return items.find(({ displayName }) => displayName === name)?.userId ?? ''
}

export const jobs: EffectsOf<'Jobs'> = {
  // The effects of patienceMs prove that these bounds are those of each connection.
  jobWriteUnits: async () => {
    expect(connectBounds({ settings: settledBy({ FREEHOLD_JOB_WRITE_UNITS: '7' }) })).toMatchObject({ jobWriteUnits_per_s: 7 })
  },
  jobRequestsMax: async () => {
    expect(connectBounds({ settings: settledBy({ FREEHOLD_JOB_REQUESTS_MAX: '3' }) })).toMatchObject({ jobRequests_max: 3 })
  },
  jobWaitMs: async () => {
    const table = await sampleTable()
    const input = JSON.stringify({ userId: await userIn(table, 'Ada') })
    const { out } = await freehold(['do', 'rebac', 'deleteUser', input, '--table', table, '--json', '--job-wait-ms', '0'])
    expect(JSON.parse(out)).toMatchObject({ pending: [expect.anything()] })
  },
  requestWaitMs: async () => {
    const { call } = await narrow()
    const answer = await call('POST', '/v1/rebac/flows/deleteUser', { userId: await userIn('rebac', 'Cleo') })
    expect(await answer.json()).toMatchObject({ pending: [expect.anything()] })
  },
  jobLookMs: async () => {
    const { endpoint: between, log, close } = await startFaultProxy(endpoint)
    const { process, ended } = await served({ jobLookMs: 100 }, { DYNAMODB_ENDPOINT: between })
    const looks = () => log.filter(({ input }) => JSON.stringify(input).includes('FREEHOLD_JOBS')).length
    // Every thirty seconds there would be one at the start.
    await expect.poll(looks, { timeout: 8_000 }).toBeGreaterThan(5)
    process.kill('SIGKILL')
    await ended
    await close()
  },
  leftJobsMax: async () => {
    expect((await freehold([...(await leaving(3)), '--left-jobs-max', '2'])).err).toMatch(
      /"Finished 2 jobs of an earlier process\."}\n{"note":"More jobs/,
    )
  },
  leftJobsMs: async () => {
    expect((await freehold([...(await leaving(2)), '--left-jobs-ms', '0'])).err).not.toContain('Finished 2 jobs')
  },
}
