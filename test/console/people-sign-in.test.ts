import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveOnNode } from '../../packages/service/src/index.ts'
import { ownIssuer } from '../docs/own-issuer.ts'
import { freePort } from '../free-port.ts'
import { type ServedPeople, servedPeople } from '../sign-in/served-people.ts'
import { builtConsole } from './built.ts'
import { chromium } from './chromium.ts'
import { openBrowser } from './open-browser.ts'
import { hostile } from './served-console.ts'

// People sign in to the console, in Chromium by keyboard alone, against the real service and an issuer of the test's own.

const password = 'seven green tables in a row'
const [markup, , , turned, alike, endless] = hostile
/** What the issuer tells of each person. */
const profiles = new Map([
  ['ada', { email: 'ada@acme.example', name: markup }],
  ['bob', { email: 'bob@acme.example', name: turned }],
  ['eve', { email: 'eve@elsewhere.example', name: 'Eve' }],
])

describe.skipIf(chromium === undefined)('people who sign in (left out without chromium on the path)', () => {
  let served: ServedPeople
  let serving: Awaited<ReturnType<typeof serveOnNode>>
  let issuer: Awaited<ReturnType<typeof ownIssuer>>
  let opened: Awaited<ReturnType<typeof openBrowser>>
  /** The browser of an administrator. */
  let page: Page
  let caretaker = ''
  let ada = ''
  let bob = ''

  beforeAll(async () => {
    await builtConsole()
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    issuer = await ownIssuer({
      redirect: `${address}/console/sign-in/acme/back`,
      profileOf: (person) => profiles.get(person) ?? { email: `${person}@nowhere.example` },
    })
    served = await servedPeople({
      address,
      clock: Date.now,
      issuers: [
        {
          ...{ issuer: issuer.issuer, audience: issuer.audience, algorithms: ['RS256'] },
          ...{ user: { provider: 'acme', firstSight: 'link' }, signIn: issuer.client },
        },
      ],
    })
    serving = await serveOnNode(served.service, { port, grace_ms: 0 })
    const { operator, client, table, apiKeys } = served
    await operator.setIdentityProviders({ id: client.id, identity_providers: ['acme'] })
    const ids = await Promise.all(['ada', 'bob', 'cleo'].map((name) => served.person(`${name}@acme.example`, password)))
    const [, , cleo = ''] = ids
    ;[ada = '', bob = ''] = ids
    await table.User.update({ id: ada }, { first_name: markup })
    const of = { client_id: client.id } as const
    const head = await table.Role.create({ ...of, name: 'head', permissions: [{ module: '*', action: '*', resource: '*' }] })
    const scope = { role_owner: client.id, scope_type: 'client', scope_id: client.id } as const
    await table.UserRoleAssignment.create({ user_id: ada, role_id: head.id, ...scope })
    caretaker = (
      await table.Role.create({ ...of, name: 'caretaker', permissions: [{ module: 'doors', action: 'open', resource: 'door' }] })
    ).id
    await table.UserRoleAssignment.create({ user_id: cleo, role_id: caretaker, ...scope })
    const key = await apiKeys.newKey('operator')
    const link = async () => `${address}/console/#open=${(await apiKeys.sessions.newLink(key.keyId)).text}`
    opened = await openBrowser({ address, keys: apiKeys, link })
    page = await opened.fresh()
  })
  afterAll(async () => {
    await opened?.close()
    await serving?.close()
    issuer?.close()
  })

  const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { name, level: 1 }).waitFor()
  const press = async (role: 'button' | 'link', name: string | RegExp, on = page) => {
    // What stands behind a form is not there for the keyboard.
    const [form] = await on.getByRole('dialog').all()
    await opened.tabTo((form ?? on).getByRole(role, { name }).first(), on)
    await on.keyboard.press('Enter')
  }
  /** Picks a value of a form's list. */
  const picks = async (label: string, name: RegExp) => {
    await opened.tabTo(page.getByRole('dialog').getByLabel(label), page)
    await page.keyboard.press('ArrowDown')
    const option = page.getByRole('option', { name })
    await option.waitFor()
    for (let presses = 0; presses < 5 && (await option.getAttribute('data-combobox-selected')) === null; presses++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await option.waitFor({ state: 'hidden' })
  }
  const typed = async (text: string, on = page) => {
    await on.keyboard.type(text)
    await on.keyboard.press('Enter')
  }
  /** Signs in at the issuer, from an address of the console. */
  const signsIn = async (person: string, on: Page, hash = '') => {
    await opened.at(hash, on)
    await press('link', 'Sign in with acme', on)
    await heading('Acme', on)
    await typed(person, on)
  }
  const links = (on = page) => on.getByRole('navigation').getByRole('link').allTextContents()
  /** The faults that axe finds, and anything that ran. */
  const flaws = async (name: string, on = page) => {
    const found = await opened.flaws(() => heading(name, on), 'both', on)
    return [...found, ...((await on.evaluate('window.ran')) === undefined ? [] : ['A name has run.'])]
  }

  /** A screen says that the service does not answer, and reads again. */
  const saysThatItFails = async (hash: string, path: RegExp) => {
    const words = 'It does not answer.'
    const body = `{"code":"Unavailable","detail":"${words}"}`
    await page.route(path, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }))
    await opened.at(hash, page)
    await page.getByText(words).waitFor()
    await page.unroute(path)
    await press('button', 'Try again')
    await page.getByText(words).waitFor({ state: 'detached' })
  }

  test('the sign-in screen has a button for each way, and says if the ways cannot be read', async () => {
    await saysThatItFails('', /\/console\/sign-in$/)
    await heading('Open the console')
    await page.getByRole('link', { name: 'Sign in with a password' }).waitFor()
    expect(await flaws('Open the console')).toEqual([])
  })

  test('an administrator of a client comes to that client, and sees nothing that would be denied', async () => {
    await signsIn('ada', page)
    await heading('Ours')
    expect(page.url()).toContain('/tenants/Client/people?')
    await page.getByRole('banner').getByText(markup).waitFor()
    const own = ['Ask', 'Your tenant', 'People', 'Roles', 'Saved questions', 'Audit', 'The design', 'Your access', 'Your sessions']
    expect(await links()).toEqual(own)
    // The place whose page it is has no column.
    const given = page.getByRole('table', { name: 'Given at this client itself' })
    expect(await given.getByRole('columnheader').allTextContents()).toEqual(['User', 'Role', 'Time', 'From – until', 'Actions'])
    expect(await flaws('Ours')).toEqual([])
    for (const address of ['/operation', '/keys', '/account-management/tenants/new']) {
      await opened.at(address, page)
      await opened.shows('This is not for you', page)
    }
    await opened.at('/account-management/tenants', page)
    await heading('Ours')
  })

  test('it invites somebody, gives a role for a week, and reads that in the audit', async () => {
    await press('button', 'Invite user')
    const dialog = page.getByRole('dialog')
    await opened.tabTo(dialog.getByLabel('email'), page)
    await page.keyboard.type('dora@acme.example')
    await picks('user type', /^client.admin$/)
    await press('button', /^Invite user$/)
    await dialog.getByText('This is what was written.').waitFor()
    await page.keyboard.press('Escape')
    await press('link', 'dora@acme.example')
    await press('button', 'Assign role')
    await opened.tabTo(dialog.getByLabel('role'), page)
    await page.keyboard.type(caretaker)
    await picks('scope type', /^client$/)
    await page.keyboard.press('Tab')
    await page.keyboard.type(served.client.id)
    await press('button', 'expires at: in a week')
    await press('button', /^Assign role$/)
    await dialog.getByText('This is what was written.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /caretaker.*Ours/ }).waitFor()
    await press('link', 'Audit')
    await opened.shows(/ran\s+assign role/, page)
    await opened.shows(/ran\s+invite user/, page)
  })

  test('it sees its sessions, and ends another one, in which nothing is shown any more', async () => {
    const other = await opened.fresh(markup)
    await signsIn('ada', other, '/account-management/audit')
    // The address that somebody was sent is the one that is opened.
    await heading('Audit', other)
    await press('link', 'Your sessions')
    await heading('Your sessions')
    await saysThatItFails('/sessions', /\/console\/sessions/)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'this one' })
      .getByText(/Chrome \d+ on Linux/)
      .waitFor()
    await page.getByRole('listitem').getByText(markup).waitFor()
    expect(await flaws('Your sessions')).toEqual([])
    await press('button', 'End the other one')
    await page.getByRole('listitem').getByText(markup).waitFor({ state: 'detached' })
    await press('link', 'Roles', other)
    await other.getByText('Your session has ended.').waitFor()
    expect(await other.getByText(markup).count()).toBe(0)
    await other.context().close()
  })

  test('it signs out, and Back shows nothing', async () => {
    await press('link', 'Your tenant')
    await heading('Ours')
    await press('link', 'People')
    await heading('Users')
    await press('button', 'Sign out')
    await page.getByText('You are signed out.').waitFor()
    expect(await flaws('Open the console')).toEqual([])
    await page.goBack()
    await heading('Open the console')
    expect([await page.getByText(markup).count(), (await page.request.get(`${serving.address}/v1`)).status()]).toEqual([0, 401])
  })

  test('one who administers nothing is told whom to ask, what it holds, and its sessions', async () => {
    const own = await opened.fresh()
    await signsIn('bob', own)
    await heading('Your access', own)
    await own.getByRole('note').getByText(markup).first().waitFor()
    await own.getByText('You hold nothing now').waitFor()
    expect([await links(own), await flaws('Your access', own)]).toEqual([['Your access', 'Your sessions'], []])
    for (const address of ['/account-management/tenants', '/account-management/audit', '/operation']) {
      await opened.at(address, own)
      await opened.shows('This is not for you', own)
      expect(await flaws('This is not for you', own)).toEqual([])
    }
    await press('link', 'Your sessions', own)
    await own.getByRole('listitem').getByText('this one').waitFor()
    await own.context().close()
  })

  test.each([
    ['turns the line around', turned],
    ['looks like another one', alike],
    ['has no end', endless],
  ])(
    'a name that %s is that of the person, of whom to ask, and of a browser: it is text, and no page is wider than a phone',
    async (_, text) => {
      for (const id of [ada, bob]) await served.table.User.update({ id }, { first_name: text, last_name: text })
      const own = await opened.fresh(text)
      await signsIn('bob', own)
      await heading('Your access', own)
      expect(await own.getByRole('banner').locator('bdi').textContent()).toBe(`${text} ${text}`.slice(0, 200))
      expect(await own.getByRole('note').locator('bdi').first().textContent()).toBe(`${text} ${text}`)
      expect(await flaws('Your access', own)).toEqual([])
      await press('link', 'Your sessions', own)
      await own.getByRole('listitem').getByText('this one').waitFor()
      expect(await flaws('Your sessions', own)).toEqual([])
      await own.context().close()
    },
  )

  test.each([
    ['somebody whom nobody has invited', 'eve'],
    ['somebody whom the issuer does not let in', ''],
  ])('%s is refused, by a page that lets begin again', async (_, person) => {
    const eve = await opened.fresh()
    await signsIn(person, eve)
    await eve.getByRole('link', { name: /again/i }).waitFor()
    expect(await opened.flaws(() => eve.getByRole('link').first().waitFor(), 'both', eve)).toEqual([])
    await press('link', /again/i, eve)
    await heading('Open the console', eve)
    expect(await eve.evaluate('window.ran')).toBeUndefined()
    await eve.context().close()
  })

  test('the pages of this product, with a second factor, too, lead into the console', async () => {
    const own = await opened.fresh(endless)
    const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: served.now().getTime() })
    const signs = async () => {
      await press('link', 'Sign in with a password', own)
      await heading('Sign in', own)
      await own.keyboard.type('cleo@acme.example')
      await own.keyboard.press('Tab')
      await typed(password, own)
    }
    await opened.at('', own)
    await signs()
    await heading('Your access', own)
    await own.getByRole('banner').getByText('Ada Lovelace').waitFor()
    await own
      .getByRole('table', { name: 'What you hold' })
      .getByRole('row', { name: /doors:open:door client/ })
      .waitFor()
    await press('link', 'Your sessions', own)
    await own.getByRole('listitem').getByText(endless.slice(0, 200)).waitFor()
    expect(await flaws('Your sessions', own)).toEqual([])
    await own.goto(`${serving.address}/account/factor`)
    const secret = ((await own.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await own.keyboard.type(password)
    await own.keyboard.press('Tab')
    await typed(codeOf(secret), own)
    await heading('Recovery codes', own)
    // The factor has ended all sessions.
    await opened.at('', own)
    await signs()
    await heading('Second factor', own)
    served.pass(60_000)
    await typed(codeOf(secret), own)
    await heading('Your access', own)
    await own.context().close()
  })

  test('nothing met an error, or what the policy refuses', () => {
    expect(opened.faults).toEqual([])
  })
})
