import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder, freehold } from '../../test/recorded-shell.ts'

const issuer = {
  issuer: 'https://id.example.org/',
  audience: 'freehold',
  keys: 'https://id.example.org/keys',
  algorithms: ['ES256'],
  user: { claim: 'sub' },
}

/** `serve` reads the file before it starts anything. */
const serving = (text: string | Uint8Array) =>
  freehold(['serve', '--memory', '--port', '0', '--issuers', join(folder({ 'issuers.json': text }), 'issuers.json')])

test.each<[string, string | Uint8Array, string]>([
  ['what is no JSON', '[', 'is no'],
  ['bytes that are not UTF-8', Buffer.from('[{\n"issuer":"M\xfcnchen"}]', 'latin1'), 'issuers.json is not UTF-8 (line 2).'],
  ['no list', JSON.stringify(issuer), 'is not a list of issuers'],
  ['a name that is given twice', '[{"issuer":"a","issuer":"b"}]', 'issuer'],
  ['a shared secret', JSON.stringify([{ ...issuer, algorithms: ['HS256'] }]), 'algorithms is not a list of RS256'],
  ['an address without TLS', JSON.stringify([{ ...issuer, keys: 'http://id.example.org/keys' }]), 'keys is neither an https address'],
])('a file of issuers with %s is refused before anything starts', async (_, text, message) => {
  expect(await serving(text)).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(message) })
})

test('a file that is not there is refused', async () => {
  const answer = await freehold(['serve', '--memory', '--port', '0', '--issuers', 'nowhere.json'])
  expect(answer).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('does not exist') })
})
