import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { pageAt, root } from './pages.ts'
import { ada, askedBy, followed, told } from './protected-route.ts'

// The guide is followed in an empty folder, with an issuer of the test's own. Its route is called as Next.js does. `npm run test:packages` asks Next.js itself.

const { files, commands } = followed(pageAt('docs/guides/protected-route.md').text)

const before = process.cwd()
const [entry] = JSON.parse(files.find(({ name }) => name === 'issuers.json')?.text ?? '')
const asked = await askedBy(entry)
const folder = temporaryFolder()
process.chdir(folder)
for (const [, command, ...args] of commands)
  if (command === 'freehold') expect(await freehold(args, { env: {}, cwd: folder })).toMatchObject({ exit: 0, err: '' })
writeFileSync(join(folder, 'issuers.json'), asked.issuers)
const opened = await import('../../examples/next/rebac.ts')
const app = await import('../../examples/next/app/[location]/[page]/route.ts')
afterAll(() => {
  process.chdir(before)
  opened.rebac.close()
  asked.close()
})

test('its files are those of examples/next, where Node wants the ending of a file that is imported', () => {
  expect(files.map(({ name }) => name)).toEqual(['issuers.json', 'rebac.ts', 'app/[location]/[page]/route.ts'])
  for (const { name, text } of files.slice(1))
    expect(text).toBe(readFileSync(join(root, 'examples/next', name), 'utf8').replace("/rebac.ts'", "/rebac'"))
})

test('the route answers whom the design allows, by a token of the issuer, and tells the others what the page says', async () => {
  for (const { who, path, token, answer } of await asked.requests()) {
    const [location = '', page = ''] = path.split('/')
    const headers = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
    const response = await app.GET(new Request(`https://app.example.org/${path}`, headers), { params: Promise.resolve({ location, page }) })
    expect({ who, ...(await told(response)) }).toEqual({ who, ...answer })
  }
  expect(await opened.rebac.table.SignInIdentity.get({ provider: 'google', subject: 'ada' })).toMatchObject({ userId: ada })
})
