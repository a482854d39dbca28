import { platform } from '@freehold/designs/platform'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'

describe('sweep', () => {
  test('sweeps the whole table, however small its pages, and counts', async () => {
    const name = freshTable()
    const table = connect(platform, { table: name, dynamo: { endpoint } })
    await ensureTable(table.runtime)
    const { id: accountId } = await table.Account.create({ name: 'Acme' })
    const { id: enterpriseId } = await table.Enterprise.create({ name: 'Nova' })
    const license = { accountId, enterpriseId, seats: 1, startDate: '2020-01-01' }
    for (const endDate of ['2020-02-01', '2020-03-01', '2020-04-01']) await table.License.create({ ...license, endDate })
    table.close()
    const run = (...more: readonly string[]) => freehold(['sweep', 'platform', '{"limit":1}', '--table', name, ...more])
    const first = await run('--json')
    expect(JSON.parse(first.out)).toMatchObject({ counts: { looked_at: 3, licenses_expired: 3, reminders_sent: 0 }, isWhole: true })
    expect(await run()).toMatchObject({ exit: 0, out: expect.stringMatching(/licenses expired +0/) })
  })

  test('refuses a design that has no sweep, and an input that is none', async () => {
    expect(await freehold(['sweep', 'rebac'])).toMatchObject({ exit: 2, err: expect.stringContaining("no flow of rebac named 'sweep'") })
    expect(await freehold(['sweep', 'platform', '{"stages":["soon"]}', '--table', freshTable()])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('(InvalidInput)'),
    })
  })
})
