import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { chromium } from './chromium.ts'
import type { servedConsole } from './served-console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const desk = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[]
}

/** A browser that is let in as an operator, and tells of every error and of everything that the policy refuses. */
export async function openBrowser(served: Pick<Awaited<ReturnType<typeof servedConsole>>, 'address' | 'keys' | 'link'>) {
  const { chromium: engine } = await import('playwright-core')
  const browser = await engine.launch({ executablePath: chromium ?? '', args: ['--no-sandbox', '--disable-gpu'] })
  const faults: string[] = []
  const watched = async (of: BrowserContext): Promise<Page> => {
    // It ends what hangs, on a machine that is busy with other things, too.
    of.setDefaultTimeout(60_000)
    const opened = await of.newPage()
    opened.on('pageerror', (error) => faults.push(error.message))
    opened.on('console', (message) => {
      if (/Content Security Policy|Warning:|Refused/.test(message.text())) faults.push(message.text())
    })
    return opened
  }
  const page = await watched(await browser.newContext({ viewport: desk, reducedMotion: 'reduce' }))
  await page.goto(await served.link())
  await page.getByRole('heading', { name: 'Ask' }).waitFor()
  const at = async (hash: string, on = page) => {
    // Another address of the same page would show the former screen for a moment.
    await on.goto('about:blank')
    await on.goto(`${served.address}/console/#${hash}`)
  }
  return {
    page,
    faults,
    at,
    shows: (text: string | RegExp, on = page) => on.getByText(text).first().waitFor(),
    /** Another browser, in which nobody is signed in. */
    fresh: async (userAgent?: string) =>
      watched(await browser.newContext({ viewport: desk, reducedMotion: 'reduce', ...(userAgent === undefined ? {} : { userAgent }) })),
    /** Goes to a control by Tab, as somebody without a mouse does. */
    tabTo: async (control: Locator, on = page) => {
      await control.first().waitFor()
      for (let presses = 0; presses < 80; presses++) {
        if ((await on.locator(':focus').and(control).count()) > 0) return
        await on.keyboard.press('Tab')
      }
      throw new Error('Tab does not reach the control.')
    },
    /** A browser of its own, let in by a key with this purpose. */
    enteredAs: async (purpose: 'decisions' | 'flows' | 'read' | 'tenant', tenant?: string) => {
      const limits = tenant === undefined ? {} : { designs: ['account-management'], tenant }
      const { text } = await served.keys.newKey(purpose, { purpose, ...limits })
      const own = await watched(await browser.newContext({ viewport: desk, reducedMotion: 'reduce' }))
      await own.goto(`${served.address}/console/`)
      await own.getByLabel('API key').fill(text)
      await own.keyboard.press('Enter')
      await own.getByRole('navigation').waitFor()
      return own
    },
    /** What axe finds on the page in light and wide, and in dark and narrow, or in the latter alone; and how far the page is too wide, or that alone. */
    flaws: async (ready: () => Promise<unknown>, on: 'both' | 'phone' | 'width' = 'both', of = page) => {
      const found: string[] = []
      const ways = [
        [desk, 'light'],
        [phone, 'dark'],
      ] as const
      for (const [viewport, colorScheme] of ways.slice(on === 'both' ? 0 : 1)) {
        await of.setViewportSize(viewport)
        await of.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await ready()
        if (on !== 'width') await of.evaluate(axe)
        const { violations } = on === 'width' ? { violations: [] } : await of.evaluate<AxeResult>('axe.run()')
        found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${colorScheme} ${id}: ${target.join(' ')}`)))
        const over = await of.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        if (over > 0) found.push(`${colorScheme}: ${over} pixels too wide`)
      }
      await of.setViewportSize(desk)
      await of.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      return found
    },
    close: () => browser.close(),
  }
}
