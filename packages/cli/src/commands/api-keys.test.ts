import { openKeys } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'

const run = (table: string, ...flags: string[]) => freehold(['api-keys', '--table', table, ...flags])

describe('api-keys', () => {
  test('says where there are none', async () => {
    const table = freshTable()
    expect(await run(table)).toEqual({ exit: 0, out: 'There are no API keys: `freehold serve` creates the first.\n', err: '' })
    expect(await run(table, '--json')).toEqual({ exit: 0, out: '[]\n', err: '' })
  })

  test('lists them without what would let anybody in, and revokes one', async () => {
    const table = freshTable()
    const keys = await openKeys({ table, dynamo: { endpoint }, maxStalenessMs: 0 })
    const [kept, lost] = [await keys.newKey('kept'), await keys.newKey('lost')]
    const { out } = await run(table, '--json')
    expect(JSON.parse(out)).toEqual([kept, lost].map(({ keyId, name, createdAt }) => ({ keyId, name, createdAt })))
    expect((await run(table)).out).toMatch(/^key +name +made\n/)

    expect(await run(table, '--revoke', lost.keyId.toLowerCase())).toMatchObject({ exit: 0, out: expect.stringContaining('Revoked') })
    expect([await keys.verify(kept.text), await keys.verify(lost.text)]).toEqual([kept.keyId, undefined])
    keys.close()
  })

  test('refuses to revoke what is no key, and what is none any more', async () => {
    const table = freshTable()
    expect(await run(table, '--revoke', 'first key')).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('(InvalidInput)') })
    expect(await run(table, '--revoke', '01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('(NotFound)'),
    })
  })
})
