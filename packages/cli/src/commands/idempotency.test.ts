import { beforeEach, expect, test } from 'vitest'
import { freehold, freshTable, withoutFlows } from '../../test/recorded-shell.ts'

let table: string
beforeEach(() => {
  table = freshTable()
})

const doing = (flow: string, input: object, key: string) =>
  freehold(['do', 'account-management', flow, JSON.stringify(input), '--table', table, '--json', '--idempotency-key', key])
const creating = (input: object, key: string) =>
  freehold(['create', 'rebac', 'Location', JSON.stringify(input), '--table', table, '--json', '--idempotency-key', key], {
    designs: withoutFlows,
  })
const repeat = 'This was done before, under the same idempotency key, and is not done again.'
const note = (sentence: string) => `${JSON.stringify({ note: sentence })}\n`

test('a flow that is given again is not done again, and stderr says so', async () => {
  const first = await doing('createClient', { name: 'Acme' }, 'one')
  expect(first).toMatchObject({ exit: 0, err: '' })
  expect(await doing('createClient', { name: 'Acme' }, 'one')).toEqual({ ...first, err: note(repeat) })
  const { id } = JSON.parse(first.out)
  const email = 'ada@acme.example'
  const invited = await doing('inviteUser', { client_id: id, email, user_type: 'client_admin' }, 'two')
  const { id: user_id } = JSON.parse(invited.out)
  await doing('acceptInvitation', { id: user_id }, 'three')
  const made = JSON.parse((await doing('createToken', { user_id, token_type: 'api' }, 'four')).out)
  const again = await doing('createToken', { user_id, token_type: 'api' }, 'four')
  expect(again).toMatchObject({ exit: 0, err: note(`${repeat} The secret of its answer (text) is told only once.`) })
  expect(JSON.parse(again.out)).toEqual({ made: [{ entity: 'AuthToken', id: { user_id, id: made.token.id } }], told_once: ['text'] })
  expect(await doing('createClient', { name: 'Other' }, 'one')).toMatchObject({ exit: 2, err: expect.stringContaining('KeyReused') })
  for (const [told, key] of [
    ['', 'five'],
    [note(repeat), 'five'],
  ])
    expect(await doing('deleteClient', { id }, String(key))).toEqual({ exit: 0, out: '{"done":true}\n', err: told })
})

test('an item that is created again is not created again', async () => {
  const first = await creating({ locationCode: 'LON', name: 'London' }, 'one')
  expect(first).toMatchObject({ exit: 0, err: '' })
  expect(await creating({ locationCode: 'LON', name: 'London' }, 'one')).toEqual({ ...first, err: note(repeat) })
  expect(await creating({ locationCode: 'LON', name: 'London' }, 'a key')).toMatchObject({ exit: 2, out: '' })
})
