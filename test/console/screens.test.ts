import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { property as sample } from '../../packages/cli/src/sample/property.ts'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { servedConsole } from './served-console.ts'

// Saved questions, Operation and the tour, in Chromium against the real service.

const pier = 'ac000000-0000-4000-8000-000000000003'
const asked = (more: Readonly<Record<string, string>>) =>
  `/account-management/ask?${new URLSearchParams({ asked: 'can', user: 'tom@acme.example', building: pier, permission: 'devices:reboot:camera', ...more })}`

describe.skipIf(chromium === undefined)('more screens of the console (left out without chromium on the path)', () => {
  const opened = inBrowser(servedConsole)
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true })

  const saved = () => opened.page.getByLabel('What it is called').waitFor({ state: 'detached' })

  test('saves a question with its answer in the table, as a file, opens that again, runs both, and shows what changed', async () => {
    const { page, at, shows } = opened
    await at('/account-management/saved')
    await shows('No question is saved')
    await at(asked({}))
    await button('Save the question').click()
    await page.getByLabel('What it is called').fill('Tom may not reboot it: his role has ended')
    await page.keyboard.press('Enter')
    await saved()
    await at('/account-management/saved')
    await shows('no: AssignmentExpired')
    await shows(/in the table since .*, by key 0/)
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save as a file').click()])
    const file = readFileSync(await download.path(), 'utf8')
    expect(file).toContain('expect: AssignmentExpired')
    const more = `${file}  - { name: Grace may not, question: { user: grace@acme.example, building: ${pier}, permission: 'devices:reboot:camera' }, expect: false }\n`
    await page.locator('input[type=file]').setInputFiles({ name: 'a.cases.yaml', mimeType: 'text/yaml', buffer: Buffer.from(more) })
    await shows('Grace may not')
    await button('Run all').click()
    await shows('1 changed')
    await shows('expected no, got yes')
    expect(await page.getByText('as expected', { exact: true }).count()).toBe(2)
    await page
      .getByRole('row', { name: /^Grace/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await shows('All as expected')
  })

  test('saves a list with nobody on it, and says when there is somebody', async () => {
    const { page, at, shows } = opened
    await at(`/account-management/ask?${new URLSearchParams({ asked: 'who', building: pier, permission: 'doors:close:door' })}`)
    await shows('Nobody')
    await button('Save the question').click()
    await page.getByLabel('What it is called').fill('Nobody closes doors')
    await page.keyboard.press('Enter')
    await saved()
    await page.getByRole('link', { name: 'Saved questions' }).click()
    await shows('0 rows')
    await button('Run all').click()
    await shows('All as expected')
  })

  test('replaces a saved question by another of its name, and removes it from the table', async () => {
    const { page, at } = opened
    const row = page.getByRole('row', { name: /^One name/ })
    for (const ask of ['can', 'what']) {
      await at(asked(ask === 'can' ? {} : { asked: 'what' }))
      await button('Save the question').click()
      await page.getByLabel('What it is called').fill('One name')
      await page.keyboard.press('Enter')
      await saved()
      await at('/account-management/saved')
      await row.getByText(ask === 'can' ? 'no: AssignmentExpired' : /rows/).waitFor()
      expect(await row.count()).toBe(1)
    }
    await row.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await opened.served.keys.saved.list('account-management')).map(({ name }) => name)).not.toContain('One name')
  })

  test('shows a key for decisions what is in the table, and keeps what it saves in the page', async () => {
    const { at, shows } = opened
    await opened.served.keys.saved.save('account-management', { name: 'Kept', ask: 'can', question: {}, expect: true }, 'key 0')
    const own = await opened.enteredAs('decisions')
    await at('/account-management/saved', own)
    const kept = own.getByRole('row', { name: /^Kept/ })
    await kept.getByRole('button', { name: 'Ask' }).waitFor()
    expect(await kept.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await at(asked({}), own)
    await own.getByRole('button', { name: 'Save the question' }).click()
    await own.getByLabel('What it is called').fill('Of this page')
    await own.keyboard.press('Enter')
    await own.getByRole('link', { name: 'Saved questions' }).click()
    await shows('in this page', own)
    expect((await opened.served.keys.saved.list('account-management')).map(({ name }) => name)).not.toContain('Of this page')
    await own.context().close()
    // A tenant does not see who of another one was asked about.
    const tenant = await opened.enteredAs('tenant', sample.client.id)
    await at('/account-management/saved', tenant)
    await shows('No question is saved', tenant)
    await tenant.context().close()
  })

  test.each([
    ['[', /at line 1/],
    ['design: rebac\ncases: []', 'The file is of the design rebac.'],
    ['design: account-management\ncases: [{ question: {}, expect: 1 }]', /Case 1 needs `expect`/],
    [
      `design: account-management\ncases: [${Array(2).fill('{ name: it, question: {}, expect: true }').join(', ')}]`,
      /Two questions of the file are called “it”/,
    ],
  ])('says what is wrong with a file: %s', async (text, words) => {
    const { page, at, shows } = opened
    await at('/account-management/saved')
    await page.locator('input[type=file]').setInputFiles({ name: 'a.cases.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
    await shows(words)
  })

  test('shows what runs: health, tables and jobs with their progress', async () => {
    const { page, at, shows } = opened
    await at('/operation')
    await shows('reading: ok')
    await shows('No job is open')
    await shows(opened.served.property.runtime.table)
    await page.route('**/v1/operation', async (route) => {
      const response = await route.fetch()
      const job = {
        design: 'library',
        id: '1',
        kind: 'removal',
        entity: 'Member',
        done: 42,
        state: 'left behind',
        createdAt: '2026-01-01T00:00:00.000Z',
      }
      await route.fulfill({ response, json: { ...(await response.json()), jobs: [job] } })
    })
    await at('/operation')
    expect(await page.getByRole('row', { name: /removal/ }).innerText()).toMatch(/Member\s+left behind\s+42/)
    await page.unroute('**/v1/operation')
  })

  test('says that a table fails, that the service does not answer, and that a key may not look', async () => {
    const { page, at, shows } = opened
    const body = '{"code":"Unavailable","detail":"A table accepts no writes.","reading":"ok","writing":"failed"}'
    await page.route('**/health', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }))
    await at('/operation')
    await shows('writing: failed')
    await page.unroute('**/health')
    await page.route('**/v1/operation', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"Internal","detail":"It broke."}' }),
    )
    await at('/operation')
    await shows('It broke.')
    await page.unroute('**/v1/operation')
    const own = await opened.enteredAs('read')
    expect(await own.getByRole('navigation').getByRole('link', { name: 'Operation' }).count()).toBe(0)
    await at('/operation', own)
    await shows('This is not for your key', own)
    await own.context().close()
  })

  test('has a tour of five steps, one a question, that goes on, back, and can be left', async () => {
    const { page, at, shows } = opened
    await at('/account-management/ask')
    await button('Take the tour').click()
    const tour = page.getByRole('region', { name: 'Tour' })
    for (const step of ['1', '2', '3', '4', '5']) {
      await tour.getByText(`${step} of 5`).waitFor()
      if (step !== '5') await tour.getByRole('button', { name: 'Next' }).click()
    }
    await page.goBack()
    await tour.getByText('4 of 5').waitFor()
    await shows('grace@acme.example')
    await button('Leave the tour').click()
    await tour.waitFor({ state: 'detached' })
    await shows('grace@acme.example')
  })

  test.each(['/account-management/saved', '/operation', asked({ tour: '2' })])(
    '%s has no flaw that axe finds, in light and dark, and fits 360 px',
    async (screen) => {
      const { page, at, flaws } = opened
      const ready = async () => {
        await at(screen)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
      }
      expect(await flaws(ready)).toEqual([])
      expect(opened.faults).toEqual([])
    },
  )
})
