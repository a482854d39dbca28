import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwordHashing } from '../../packages/frame/src/credentials/index.ts'
import { serveOnNode } from '../../packages/service/src/index.ts'
import { chromium } from '../console/chromium.ts'
import { hostile } from '../console/served-console.ts'
import { product, type ServedPeople, servedPeople } from './served-people.ts'

// In Chromium, against the real service, by keyboard alone and with real hashes.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[]
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  let served: ServedPeople
  let serving: Awaited<ReturnType<typeof serveOnNode>>
  let browser: Browser
  let page: Page
  const faults: string[] = []
  beforeAll(async () => {
    served = await servedPeople({ hashing: passwordHashing })
    serving = await serveOnNode(served.service, { port: 0, grace_ms: 0 })
    const { chromium: engine } = await import('playwright-core')
    browser = await engine.launch({ executablePath: chromium ?? '', args: ['--no-sandbox', '--disable-gpu'] })
    page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text())
    })
  })
  afterAll(async () => {
    await browser?.close()
    await serving?.close()
  })

  const [first, next, last] = ['seven green tables in a row', 'another eight blue chairs', 'nine old lamps on a shelf']
  const email = 'ada@ours.example'
  const at = (path: string) => page.goto(`${serving.address}${path}`)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  /** The first field has the focus; each Tab leads to the next. */
  const typed = async (...texts: readonly string[]) => {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
  }
  const follow = async (name: string) => {
    await page.getByRole('link', { name }).focus()
    await page.keyboard.press('Enter')
  }
  const linkPath = () => {
    const { pathname, search } = new URL(served.linkTo(email))
    return pathname + search
  }
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: served.now().getTime() })
  /** The faults that axe finds on a page, wide, and narrow in both themes; how far it is too wide; and whether a text has run. */
  const flaws = async (of = page) => {
    const found: string[] = []
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'light'],
      [360, 'dark'],
    ] as const) {
      await of.setViewportSize({ width, height: 740 })
      await of.emulateMedia({ colorScheme })
      // The page's own policy lets no script run: the browser's own world does.
      const { violations } = await of.evaluate<AxeResult>(`${axe}; axe.run()`)
      found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${width} ${colorScheme} ${id}: ${target.join(' ')}`)))
      const over = await of.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (over > 0) found.push(`${width} ${colorScheme}: ${over} pixels too wide`)
    }
    return (await of.evaluate('window.ran')) === undefined ? found : [...found, 'A text has run.']
  }

  test('a person is invited, signs in, sets a second factor, forgets the password, changes it, and signs out', async () => {
    const seen: string[] = []
    const shows = async (name: string) => {
      await heading(name)
      seen.push(...(await flaws()).map((flaw) => `${name}: ${flaw}`))
    }
    await served.operator.inviteUser({ client_id: served.client.id, email, user_type: 'client_admin', first_name: hostile[0] })
    await at(linkPath())
    await shows('Welcome')
    await typed('short')
    await page.getByRole('alert').getByText('needs at least 15').waitFor()
    await shows('Welcome')
    await page.getByLabel('New password').focus()
    await typed(first)
    await shows('Password chosen')
    await page.getByText(product, { exact: true }).waitFor()
    await follow('Sign in')
    await shows('Sign in')
    await typed(email, 'wrong')
    await page.getByRole('alert').getByText('That is not right').waitFor()
    await shows('Sign in')
    // The address stays: only the password is typed again.
    await page.getByLabel('Password').focus()
    await typed(first)
    await shows('Your account')
    await page.getByText(`You are signed in as ${email}.`).waitFor()
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])

    await follow('Turn a second factor on')
    await shows('Second factor')
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await typed(first, codeOf(secret))
    await shows('Recovery codes')
    const recovery = await page.locator('li code').allTextContents()
    await follow('I have them: sign in')

    const signsIn = async (password: string) => {
      await heading('Sign in')
      await typed(email, password)
      await shows('Second factor')
      served.pass(60_000)
      await typed(codeOf(secret))
      await heading('Your account')
    }
    await signsIn(first)
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await heading('Sign in')
    await follow('I forgot my password')
    await shows('Forgotten password')
    await typed(email)
    await shows('Look into your mails')
    await at(linkPath())
    await shows('New password')
    await typed(next)
    await heading('Password chosen')
    await follow('Sign in')
    await signsIn(next)

    await follow('Change password')
    await shows('Change password')
    await typed(next, recovery[0] ?? '', last)
    await shows('Password changed')
    await at('/account')
    await signsIn(last)
    await follow('Your sessions')
    await shows('Your sessions')
    await follow('Back')
    await follow('Replace the second factor')
    await shows('Second factor')
    await follow('Turn the second factor off')
    await shows('Turn off')
    served.pass(60_000)
    await typed(last, codeOf(secret))
    await page.getByRole('alert').getByText('The second factor is off').waitFor()
    await shows('Second factor')
    await at(linkPath())
    await shows('Link')
    expect([seen, faults]).toEqual([[], []])
  })

  test('a recovery code signs in, a new factor takes the place of the former, guesses wait, and Back shows nothing after signing out', async () => {
    const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}example`
    await served.person(long, first)
    await at('/sign-in')
    await typed(long, first)
    await heading('Your account')
    expect(await flaws()).toEqual([])
    await follow('Turn a second factor on')
    const keyShown = async () => ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
    const former = await keyShown()
    await typed(first, codeOf(former))
    await heading('Recovery codes')
    const [recovery = ''] = await page.locator('li code').allTextContents()
    const signsIn = async (code: string) => {
      await heading('Sign in')
      await typed(long, first)
      await heading('Second factor')
      await typed(code)
      await heading('Your account')
    }
    await follow('I have them: sign in')
    await signsIn(recovery)
    await follow('Replace the second factor')
    await heading('Second factor')
    const own = await keyShown()
    served.pass(60_000)
    await typed(first, codeOf(former), codeOf(own))
    await heading('Recovery codes')
    expect(await page.locator('li code').allTextContents()).not.toContain(recovery)
    await follow('I have them: sign in')
    served.pass(60_000)
    await signsIn(codeOf(own))
    await page.getByRole('button', { name: 'Sign out' }).focus()
    await page.keyboard.press('Enter')
    await heading('Sign in')
    await page.goBack()
    await heading('Sign in')
    expect(await page.getByText(long).count()).toBe(0)
    await at('/sign-in')
    for (let guess = 0; guess < 12 && (await page.getByText(/There were many attempts/).count()) === 0; guess++) {
      await page.getByLabel('E-mail address').fill('')
      await page.getByLabel('E-mail address').focus()
      await typed('nobody@ours.example', 'wrong')
      await page.getByRole('alert').waitFor()
    }
    await page
      .getByRole('alert')
      .getByText(/^There were many attempts\. Wait \d+ seconds?, and try again\.$/)
      .waitFor()
    expect([await flaws(), faults]).toEqual([[], []])
  })

  test('a person sees its sessions, whose browsers have hostile names, and ends one and then all others', async () => {
    const own = 'sessions@ours.example'
    await served.person(own, first)
    const agents = [hostile[0], hostile[3], hostile[5]] as const
    const texts: string[] = []
    for (const user_agent of agents) {
      const done = await served.signIn.password({ address: own, password: first }, { ip_address: '192.0.2.1', user_agent })
      texts.push('session' in done ? done.session : '')
      served.pass(1)
    }
    const open = () => Promise.all(texts.map(async (text) => (await served.signIn.session(text)) !== undefined))
    await at('/sign-in')
    await typed(own, first)
    await heading('Your account')
    await follow('Your sessions')
    await heading('Your sessions')
    const shown = agents.map((agent) => agent.slice(0, 200)).reverse()
    expect(await page.locator('bdi').allTextContents()).toEqual([await page.evaluate('navigator.userAgent'), ...shown])
    expect(await flaws()).toEqual([])
    // The newest has the focus.
    const ends = async (key: string, typing: string) => {
      await page.keyboard.press(key)
      await page.keyboard.press('Tab')
      await typed(typing)
    }
    await ends('Space', 'wrong')
    await page.getByRole('alert').getByText('That is not right').waitFor()
    expect([await open(), await flaws()]).toEqual([[true, true, true], []])
    await ends('Space', first)
    await page.getByRole('alert').getByText('It has ended.').waitFor()
    expect(await open()).toEqual([true, true, false])
    // Arrows go round: the last choice is that of all.
    await ends('ArrowUp', first)
    await page.getByText('You are signed in nowhere else.').waitFor()
    expect([await open(), await flaws(), faults]).toEqual([[false, false, false], [], []])
  })

  test.each(hostile.slice(0, 5))('a text that is hostile is text: %s', async (text) => {
    await at('/sign-in')
    await page.getByLabel('E-mail address').evaluate((field) => field.setAttribute('type', 'text'))
    await typed(text, 'wrong')
    await page.getByRole('alert').waitFor()
    expect([await page.getByLabel('E-mail address').inputValue(), await page.evaluate('window.ran'), faults]).toEqual([text, undefined, []])
    for (const path of ['/sign-in/invitation', '/sign-in/reset']) {
      await at(`${path}?link=${encodeURIComponent(text)}`)
      await heading('Link')
      expect([await page.evaluate('window.ran'), faults]).toEqual([undefined, []])
    }
  })

  test('a page of another origin signs nobody in', async () => {
    const foreign = await (await browser.newContext()).newPage()
    await foreign.route('http://other.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${serving.address}/sign-in"><input name="address" value="${email}"><input name="password" value="${last}"><button>Go</button></form>`,
      }),
    )
    await foreign.goto('http://other.example/')
    const answered = foreign.waitForResponse((response) => response.url().endsWith('/sign-in'))
    await foreign.getByRole('button').click()
    expect((await answered).status()).toBe(403)
    expect([await foreign.context().cookies(serving.address), await flaws(foreign)]).toEqual([[], []])
  })
})
