import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freehold } from '../../packages/cli/test/recorded-shell.ts'
import { temporaryFolder } from '../folders/temporary-folder.ts'
import { ownIssuer } from './own-issuer.ts'
import { blocksOf, pageAt, root } from './pages.ts'

// The guide is followed in an empty folder, with an issuer of the test's own. Its route is called as Next.js does.

const page = pageAt('docs/guides/protected-route.md')
const files = [...page.text.matchAll(/^`([\w.[\]/]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({ name, text }))
const [, ...commands] = blocksOf(page).flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []))
const ada = '01HA0000000000000000000001'

const before = process.cwd()

const issuer = await ownIssuer()
const folder = temporaryFolder()
process.chdir(folder)
for (const line of commands) {
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(2)
  expect(await freehold(args, { env: {}, cwd: folder })).toMatchObject({ exit: 0, err: '' })
}
const [entry] = JSON.parse(files.find(({ name }) => name === 'issuers.json')?.text ?? '')
// The same entry, but for who issues and for whom.
writeFileSync(join(folder, 'issuers.json'), JSON.stringify([{ ...entry, issuer: issuer.issuer, audience: issuer.audience }]))
const opened = await import('../../examples/next/rebac.ts')
const app = await import('../../examples/next/app/[location]/[page]/route.ts')
afterAll(() => {
  process.chdir(before)
  opened?.rebac.close()
  issuer.close()
})

const get = async (token: string | undefined, path = 'NYC001/reports') => {
  const [location = '', name = ''] = path.split('/')
  const headers = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  const answer = await app.GET(new Request(`https://app.example.org/${path}`, headers), {
    params: Promise.resolve({ location, page: name }),
  })
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, body: await answer.json(), ...(challenge === null ? {} : { challenge }) }
}

test('its files are those of examples/next', () => {
  expect(files.map(({ name }) => name)).toEqual(['issuers.json', 'rebac.ts', 'app/[location]/[page]/route.ts'])
  for (const { name, text } of files.slice(1)) expect(text).toBe(readFileSync(join(root, 'examples/next', name), 'utf8'))
})

test('the route answers whom the design allows, by a token of the issuer, and tells the others what the page says', async () => {
  const token = await issuer.signIn('ada')
  const welcome = { status: 200, body: { page: 'reports', location: 'NYC001', user: ada } }
  expect(await get(token)).toEqual(welcome)
  // The account is linked now.
  expect(await get(await issuer.signIn('ada'))).toEqual(welcome)
  expect(await opened?.rebac.table.SignInIdentity.get({ provider: 'google', subject: 'ada' })).toMatchObject({ userId: ada })

  const nobody = { status: 401, body: { code: 'Denied', status: 401, title: 'Sign in first.' } }
  const denied = { status: 403, body: { code: 'Denied', status: 403, title: 'Not allowed.' } }
  expect(await get(undefined)).toEqual({ ...nobody, challenge: 'Bearer' })
  const [header, claims = '', signature] = token.split('.')
  const others = JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'eve' })
  const changed = [header, Buffer.from(others).toString('base64url'), signature].join('.')
  expect(await get(changed)).toEqual({ ...nobody, challenge: 'Bearer error="invalid_token"' })
  expect(await get(await issuer.signIn('eve'))).toEqual(denied)
  for (const path of ['NYC001/payroll', 'LON001/reports']) expect(await get(token, path)).toEqual(denied)
})
