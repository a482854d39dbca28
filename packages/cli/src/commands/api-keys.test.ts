import { openKeys } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'

const run = (table: string, ...flags: string[]) => freehold(['api-keys', '--table', table, ...flags])

describe('api-keys', () => {
  test('says where there are none', async () => {
    const table = freshTable()
    expect(await run(table)).toEqual({
      exit: 0,
      out: 'There are no API keys: `freehold serve` creates the first.\n',
      err: `Created the table ${table}, which did not exist.\n`,
    })
    expect(await run(table, '--json')).toEqual({ exit: 0, out: '[]\n', err: '' })
  })

  test('lists them without what would let anybody in, and revokes one', async () => {
    const table = freshTable()
    const keys = await openKeys({ table, dynamo: { endpoint }, maxStalenessMs: 0 })
    const [kept, lost] = [await keys.newKey('kept'), await keys.newKey('lost')]
    const { out } = await run(table, '--json')
    expect(JSON.parse(out)).toEqual([kept, lost].map(({ keyId, name, createdAt }) => ({ keyId, name, createdAt })))
    expect((await run(table)).out).toMatch(/^key +name +made +may\n.*\n\S+ +kept +\S+ +everything\n/)

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

  test('makes one with limits, which lists tell with its maker', async () => {
    const table = freshTable()
    const keys = await openKeys({ table, dynamo: { endpoint }, maxStalenessMs: 0 })
    const flags = ['--new', 'gate', '--purpose', 'decisions', '--design', 'rebac', '--expires', '90d', '--json']
    const made = JSON.parse((await freehold(['api-keys', '--table', table, ...flags])).out)
    expect(await keys.identify(made.text)).toEqual({
      ...{ keyId: made.keyId, purpose: 'decisions', designs: ['rebac'], expiresAt: made.expiresAt },
    })
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBeCloseTo(90 * 86_400_000, -5)
    expect(await keys.list()).toMatchObject([{ name: 'gate', createdBy: 'freehold api-keys', purpose: 'decisions' }])
    const { out } = await run(table)
    expect(out).toMatch(/^key +name +made +may +by +(last used +)?expires\n/)
    expect(out).toContain('decisions of rebac')
    keys.close()
  })

  test('replaces one, which is accepted for a while more', async () => {
    const table = freshTable()
    const keys = await openKeys({ table, dynamo: { endpoint }, maxStalenessMs: 0 })
    const { keyId, text } = await keys.newKey('old', { purpose: 'read' })
    const made = JSON.parse((await run(table, '--rotate', keyId, '--overlap', '1h', '--json')).out)
    expect([await keys.identify(text), await keys.identify(made.text)]).toMatchObject([{ keyId }, { keyId: made.keyId, purpose: 'read' }])
    const [former] = (await keys.list()).filter((key) => key.keyId === keyId)
    expect(former).toMatchObject({ replacedBy: made.keyId, expiresAt: expect.any(String) })
    expect((await run(table, '--rotate', keyId)).err).toContain('was rotated before')
    keys.close()
  })

  test.each([
    [['--purpose', 'read'], '--purpose is for --new'],
    [['--overlap', '1h'], '--overlap is for --rotate'],
    [['--new', 'x', '--purpose', 'root'], 'Allowed choices are operator, tenant, decisions, read, flows, application'],
    [['--new', 'x', '--revoke', 'y'], 'cannot be used with'],
    [['--new', 'x', '--expires', '90'], 'It is a number of days'],
    [['--new', 'x', '--design', 'nothing'], "'nothing' is none of"],
    [['--new', 'x', '--purpose', 'tenant', '--design', 'platform'], 'tenant'],
    [['--new', 'x', '--purpose', 'tenant', '--design', 'rebac', '--tenant', 'a'], 'rebac has no tenants'],
    [['--new', 'x', '--purpose', 'tenant', '--tenant', 'a'], 'names the one design of the tenant'],
    [['--new', 'x', '--tenant', 'a', '--design', 'platform'], 'is only for the purposes tenant and application'],
    [['--new', 'x', '--purpose', 'application', '--design', 'rebac', '--flow', 'nothing'], "'nothing' is no flow of rebac"],
    [['--flow', 'createUser'], '--flow is for --new'],
  ])('refuses %j', async (flags, message) => {
    const table = freshTable()
    expect(await run(table, ...flags)).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(message) })
  })
})
