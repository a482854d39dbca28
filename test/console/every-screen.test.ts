import { beforeAll, describe, expect, test } from 'vitest'
import { property as sample } from '../../packages/cli/src/sample/property.ts'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { servedConsole } from './served-console.ts'

// Each screen fails with words, is for its keys alone, and is used by the keyboard alone. Where the rest of the table of screens stands:
// - what a screen does, when it is empty, in the dark, at 360 pixels, and what axe finds: Ask, the design, an item and keys in console.test.ts; tenants,
//   people and roles in people.test.ts; a tenant's wizard and settings in drawn.test.ts; saved questions and Operation in screens.test.ts; the audit in
//   audit.test.ts; flows and Ctrl-K in flows.test.ts; the sign-in screen, and the access and sessions of a person, in people-sign-in.test.ts;
// - how Ask, lists of tenants, people and roles, the audit and Operation fail, and Ask and tenants by keyboard: in the same files;
// - hostile names: hostile-names.test.ts.

const accounts = '/account-management'
const [grace] = sample.users
const user = `id=${grace.id}`
const denials = /This is not for your key|There is no such flow for your key/
/** What each kind of key may use. */
const may: Readonly<Record<'decisions' | 'read' | 'flows', readonly string[]>> = {
  decisions: ['decision', 'catalogue'],
  read: ['decision', 'read', 'catalogue'],
  flows: ['flow', 'catalogue'],
}
/** Screens, each with the kind of routes that it is for. */
const screens = [
  [`${accounts}/ask`, 'decision'],
  [`${accounts}/saved`, 'decision'],
  [`${accounts}/tenants`, 'read'],
  [`${accounts}/tenants/Client/people?id=${sample.client.id}`, 'read'],
  [`${accounts}/tenants/new`, 'operation'],
  [`${accounts}/people`, 'read'],
  [`${accounts}/people/User/access?${user}`, 'read'],
  [`${accounts}/roles`, 'read'],
  [`${accounts}/audit`, 'read'],
  [`${accounts}/item/User?${user}`, 'read'],
  [`${accounts}/design`, 'catalogue'],
  [`${accounts}/flow/createProject`, 'flow'],
  ['/operation', 'operation'],
  ['/keys', 'operation'],
  ['/you', 'person'],
  ['/sessions', 'person'],
] as const

describe.skipIf(chromium === undefined)('every screen of the console (left out without chromium on the path)', () => {
  const opened = inBrowser(servedConsole)
  let role = ''
  beforeAll(async () => {
    const client_id = sample.client.id
    const { id } = await opened.served.property.Role.create({ client_id, name: 'porter', permissions: [] })
    role = `${accounts}/roles?client_id=${client_id}&id=${id}`
  })

  test.each([
    [`${accounts}/people?find=${grace.email}`, /\/patterns\//],
    ['a role', /\/Role\b/],
    [`${accounts}/item/User?${user}`, /\/User\b/],
    [`${accounts}/flow/createProject`, /\/v1$/],
    [`${accounts}/design`, /\/design$/],
    ['/keys', /\/v1\/.*keys/],
  ])('%s says that it failed, and reads again', async (address, path) => {
    const { page, at } = opened
    const words = 'It does not answer.'
    const body = `{"code":"Unavailable","detail":"${words}"}`
    await page.route(path, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }))
    await at(address === 'a role' ? role : address)
    const main = page.getByRole('main')
    await main.getByText(words).first().waitFor()
    await page.unroute(path)
    await main.getByRole('button', { name: 'Try again' }).first().click()
    await main.getByText(words).waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test.each(['decisions', 'read', 'flows'] as const)(
    'a key for %s begins with a screen of its own, and is told which ones are not',
    async (purpose) => {
      const own = await opened.enteredAs(purpose)
      await own.getByRole('heading', { level: 1, name: purpose === 'flows' ? /design/i : 'Ask' }).waitFor()
      for (const [address, kind] of screens) {
        await opened.at(address, own)
        const denied = own.getByRole('main').getByText(denials)
        await denied
          .or(own.getByRole('heading', { level: 1 }))
          .first()
          .waitFor()
        await own.waitForLoadState('networkidle')
        expect([address, (await denied.count()) > 0]).toEqual([address, !may[purpose].includes(kind)])
      }
      await own.context().close()
    },
  )

  test.each([
    ['/operation', 'link', /failed/i, ['Enter'], /audit\?by=failed/i],
    [`${accounts}/people`, 'textbox', /^Find one by/, [grace.email, 'Enter'], 'Grace'],
    [`${accounts}/people/User/access?${user}`, 'tab', 'Access', ['ArrowRight'], /User\/may\?/],
    ['a role', 'link', 'Roles', ['Enter'], /\/roles$/],
    [`${accounts}/tenants/new`, 'button', 'Create client', ['Enter'], 'Fill this in.'],
    [`${accounts}/audit`, 'button', 'Show', ['Enter'], 'Fill in'],
    [`${accounts}/design`, 'tab', 'Picture', ['ArrowRight'], /tab=entities/],
    [`${accounts}/item/User?${user}`, 'button', /sessions/i, ['Enter'], 'No items'],
    [`${accounts}/flow/createBuilding`, 'button', 'Create building', ['Enter'], 'Fill this in.'],
    ['/keys', 'button', 'New key', ['Enter'], 'Accepted for'],
  ] as const)('%s is used by keyboard alone: %s %s', async (address, kind, name, keys, words) => {
    const { page, at, shows, tabTo } = opened
    await at(address === 'a role' ? role : address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await tabTo(page.getByRole('main').getByRole(kind, { name }))
    for (const key of keys) await (/^(Enter|Arrow\w+)$/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
    await (typeof words === 'string' ? shows(words) : page.waitForURL(words))
  })

  test('a file of saved questions is chosen by keyboard alone', async () => {
    const { page, at, shows, tabTo } = opened
    // The browser is told to ask before the page is there: a key that is pressed meanwhile would open a dialog of the system.
    const chosen = page.waitForEvent('filechooser')
    await at(`${accounts}/saved`)
    // The screen has read its list: it draws itself anew no more, and the focus stays.
    await shows('No question is saved')
    await tabTo(page.getByRole('main').getByRole('button', { name: /file/i }))
    await page.keyboard.press('Enter')
    await chosen
  })

  test('nothing met an error, or what the policy refuses', () => {
    expect(opened.faults).toEqual([])
  })
})
