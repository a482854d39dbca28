import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtConsole, loads } from './built.ts'
import { chromium } from './chromium.ts'
import { hostile, servedConsole } from './served-console.ts'

// The console in Debian's Chromium against the real service: one browser and one server for the file.

test('the first load has at most 300 kB of JavaScript, and each further screen 100', async () => {
  await builtConsole()
  const { first, later } = loads()
  expect(first).toBeLessThanOrEqual(300_000)
  expect([...later].filter(([, bytes]) => bytes > 100_000)).toEqual([])
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const property = { building: 'ac000000-0000-4000-8000-000000000003', permission: 'devices:reboot:camera' }
const desk = { width: 1280, height: 800 }
const phone = { width: 360, height: 740 }

describe.skipIf(chromium === undefined)('the console (left out without chromium on the path)', () => {
  let served: Awaited<ReturnType<typeof servedConsole>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  /** A page that tells of every error and of everything that the policy refuses. */
  const watched = async (of: BrowserContext) => {
    const opened = await of.newPage()
    opened.on('pageerror', (error) => faults.push(error.message))
    opened.on('console', (message) => {
      if (/Content Security Policy|Warning:|Refused/.test(message.text())) faults.push(message.text())
    })
    opened.on('dialog', (dialog) => {
      faults.push(dialog.message())
      void dialog.dismiss()
    })
    return opened
  }
  const at = (hash: string, on = page) => on.goto(`${served.address}/console/#${hash}`)
  const ask = (design: string, asked: Readonly<Record<string, string>>) => at(`/${design}/ask?${new URLSearchParams(asked)}`)
  const shows = (text: string | RegExp, on = page) => on.getByText(text).first().waitFor()
  /** A browser of its own, let in by a key with this purpose. */
  const enteredAs = async (purpose: 'decisions' | 'flows' | 'read') => {
    const { text } = await served.keys.newKey(purpose, { purpose })
    const own = await watched(await browser.newContext({ viewport: desk }))
    await own.goto(`${served.address}/console/`)
    await own.getByLabel('API key').fill(text)
    await own.keyboard.press('Enter')
    await own.getByRole('navigation').waitFor()
    return own
  }
  /** What axe finds on the page, by rule and place. */
  const flaws = async (on = page) => {
    await on.evaluate(axe)
    const found = await on.evaluate<AxeResult>('axe.run()')
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }
  interface AxeResult {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[]
  }

  beforeAll(async () => {
    served = await servedConsole()
    const { chromium: engine } = await import('playwright-core')
    browser = await engine.launch({ executablePath: chromium ?? '', args: ['--no-sandbox', '--disable-gpu'] })
    context = await browser.newContext({ viewport: desk, reducedMotion: 'reduce' })
    context.setDefaultTimeout(60_000)
    page = await watched(context)
  })
  afterAll(async () => {
    await browser.close()
    await served.close()
  })

  test('opens by a link, once, and leaves no secret in the browser', async () => {
    const link = await served.link()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    expect(page.url()).not.toMatch(/open=|fhl_/)
    expect(await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])')).not.toMatch(/fh[kls]_/)
    const again = await watched(await browser.newContext())
    await again.goto(link)
    await shows(/a link is good once/, again)
    await again.context().close()
  })

  test('/ leads to it', async () => {
    await page.goto(`${served.address}/`)
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/')
  })

  test('asks by keyboard alone, and shows the chain, each step of which opens', async () => {
    await at('/library/ask')
    await page.getByLabel('member').first().focus()
    await page.keyboard.type(served.ids.member)
    await page.keyboard.press('Tab')
    await page.keyboard.type('lend')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type(served.ids.branch)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Yes' }).waitFor()
    expect(page.url()).toContain(`branch=${served.ids.branch}`)
    await page.getByRole('list').getByRole('link').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Yes' }).waitFor()
  })

  test('says for a no what broke, and when it ended', async () => {
    await ask('account-management', { asked: 'can', user: 'tom@acme.example', ...property })
    await page.getByRole('heading', { name: 'No', exact: true }).waitFor()
    await shows('Where it broke')
    await shows('expired')
    await shows(/^The assignment expired at Dec 3[01], 2025, .*\.$/)
  })

  test('lists what, who and where, and saves who as CSV', async () => {
    await ask('account-management', { asked: 'who', ...property })
    await shows('grace@acme.example')
    await page.locator('form').getByText('Pier 4').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()])
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^user_id,email,.*\r\nac000000-[^\r]*,grace@acme\.example,/)
    await ask('account-management', { asked: 'what', user: 'grace@acme.example', building: property.building })
    await shows('devices:reboot:camera')
    await ask('account-management', { asked: 'where', user: 'grace@acme.example', permission: property.permission })
    await page.getByRole('table', { name: 'Where it is allowed' }).waitFor()
  })

  test('says that nobody may, with the reason', async () => {
    await ask('library', { asked: 'who', branch: 'bbbbbbbb-0000-4000-8000-000000000009', action: 'lend' })
    await shows('Nobody')
  })

  test('offers to try again where the service cannot answer', async () => {
    await page.route('**/v1/library/why', (route) => route.abort())
    await ask('library', { asked: 'can', member: served.ids.member, branch: served.ids.branch, action: 'lend' })
    await shows('No answer, so no')
    await page.unroute('**/v1/library/why')
    await page.route('**/v1/library/what', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"code":"Unavailable","detail":"The table does not answer."}',
      }),
    )
    await ask('library', { asked: 'what', member: served.ids.member, branch: served.ids.branch })
    await shows('The table does not answer.')
    await page.unroute('**/v1/library/what')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'What is allowed' }).waitFor()
  })

  test('draws the design, and runs an access pattern page by page', async () => {
    await at('/library/design')
    await page.getByText('MEMBER#{id}').first().waitFor()
    await at('/library/design?tab=patterns&pattern=booksOfBranch')
    await shows(/begins_with\(SK, BOOK#\)/)
    await page.getByRole('textbox', { name: /^branch/ }).fill(served.ids.branch)
    await page.keyboard.press('Enter')
    await shows('50 items, and more')
    await page.getByRole('button', { name: 'Show more' }).click()
    await shows(`${60 + hostile.length} items`)
  })

  test('runs nothing that is a name, and keeps its width', async () => {
    // Another load: what the page before has read is not here.
    await page.goto('about:blank')
    await at(`/library/design?tab=patterns&pattern=booksOfBranch&run=booksOfBranch&p.branch_id=${served.ids.branch}`)
    await shows('50 items, and more')
    await page.getByRole('button', { name: 'Show more' }).click()
    for (const name of hostile.slice(0, 3)) await page.getByText(name).first().waitFor()
    const told = await page.evaluate('[window.ran === undefined, document.documentElement.scrollWidth - innerWidth]')
    expect(told).toEqual([true, 0])
  })

  test.each([
    ['decisions', ['Ask', 'Saved questions', 'The design'], '/keys'],
    ['flows', ['The design'], '/library/ask?asked=what&member=ada@example.org&branch=bbbbbbbb-0000-4000-8000-000000000001'],
    ['read', ['Ask', 'Tenants', 'People', 'Roles', 'Saved questions', 'Audit', 'The design'], '/keys'],
  ] as const)('shows a key for %s its own screens, and says of others that they are not for it', async (purpose, screens, denied) => {
    const own = await enteredAs(purpose)
    expect(await own.getByRole('navigation').getByRole('link').allTextContents()).toEqual(screens)
    await at(denied, own)
    await shows('This is not for your key', own)
    await own.context().close()
  })

  test('makes a key, replaces it and revokes it by its name', async () => {
    await at('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('gate')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const text = (await page.getByText(/^fhk_/).first().textContent()) ?? ''
    expect((await served.keys.identify(text))?.purpose).toBe('decisions')
    await page.getByRole('button', { name: 'I have it' }).click()
    const row = page.getByRole('row', { name: /^gate/ }).first()
    await row.getByRole('button', { name: 'Revoke' }).click()
    const confirm = page.getByRole('button', { name: 'Revoke it' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Name of the key').fill('gate')
    await confirm.click()
    await row.waitFor({ state: 'detached' })
    expect(await served.keys.identify(text)).toBeUndefined()
    await page
      .getByRole('row', { name: /^operator/ })
      .getByRole('button', { name: 'Sessions' })
      .click()
    await shows(/Chrome/)
  })

  test('serves the example of `freehold init` without code of its own', async () => {
    const { shopId } = await served.shop.Shop.create({ name: 'Harbour' })
    const { personId } = await served.shop.Person.create({ name: 'Grace' })
    await served.shop.Post.create({ personId, shopId, role: 'owner' })
    await ask('shop', { asked: 'can', person: personId, shop: shopId, action: 'price' })
    await page.getByRole('heading', { name: 'Yes' }).waitFor()
    await at('/shop/design')
    await page.getByText('PERSON#{personId}').first().waitFor()
  })

  const screens = [
    '/account-management/ask',
    `/account-management/ask?${new URLSearchParams({ asked: 'can', user: 'tom@acme.example', ...property })}`,
    `/account-management/ask?${new URLSearchParams({ asked: 'who', ...property })}`,
    '/library/design',
    '/library/design?tab=entities',
    '/library/design?tab=patterns&pattern=booksOfBranch',
    '/account-management/item/User?id=ac000000-0000-4000-8000-000000000005',
    '/keys',
  ]
  test.each(screens)('%s has no flaw that axe finds, in light and dark, and fits 360 px', async (screen) => {
    for (const [viewport, colorScheme] of [
      [desk, 'light'],
      [phone, 'dark'],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Another address of the same page would show the former screen for a moment.
      await page.goto('about:blank')
      await at(screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await flaws()).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    await page.setViewportSize(desk)
  })

  test('lets sign in again once an operator has ended its session', async () => {
    const own = await enteredAs('read')
    await at(`/library/item/Branch?id=${served.ids.branch}`, own)
    await own.getByRole('heading', { level: 1 }).waitFor()
    for (const { keyId } of await served.keys.list())
      for (const { sessionId } of await served.keys.sessions.list(keyId))
        if (keyId !== served.operator.keyId) await served.keys.sessions.end(keyId, sessionId)
    await at(`/library/ask?asked=what&member=${served.ids.member}&branch=${served.ids.branch}`, own)
    await own.getByRole('heading', { name: 'Open the console' }).waitFor()
    // Another key is shown nothing that the first one has read.
    const { text } = await served.keys.newKey('elsewhere', { purpose: 'read', designs: ['rebac'] })
    await own.getByLabel('API key').fill(text)
    await own.keyboard.press('Enter')
    await own.getByRole('navigation').waitFor()
    await at(`/library/item/Branch?id=${served.ids.branch}`, own)
    await shows(/There is no such design/, own)
    await own.context().close()
  })

  test.each([
    ['/nowhere/ask', 'There is no such design'],
    ['/library/nowhere', 'There is no such page'],
    ['/library/item/Branch?id=bbbbbbbb-0000-4000-8000-00000000ffff', 'There is no such branch'],
    ['/library/item/constructor?id=1', 'There is no such entity'],
    ['/account-management/ask?asked=can&user=tom@acme.example&permission=devices:reboot:camera&building=xx', /^building is not a UUID\.$/],
    ['/library/item/Branch?id=12345678901234567890', /12345678901234567890|is not/],
  ])('has words for %s', async (address, words) => {
    await at(address)
    await shows(words)
  })

  test('ends its session', async () => {
    await at('/keys')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Open the console' }).waitFor()
    expect(await flaws()).toEqual([])
    expect((await page.request.get(`${served.address}/v1`)).status()).toBe(401)
  })

  test('has met no error, and nothing that its policy refuses', () => {
    expect(faults).toEqual([])
  })
})
