import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountManagementModule } from '../../packages/designs/src/account-management/index.ts'
import { offeredLibraryFlows } from '../library/flows.ts'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { hostile, servedConsole } from './served-console.ts'

// Audit, in Chromium against the real service.

const acme = 'ac000000-0000-4000-8000-000000000001'
const pier = 'ac000000-0000-4000-8000-000000000003'
const list = `/account-management/audit?by=auditOfClient&client_id=${acme}`

describe.skipIf(chromium === undefined)('Audit in the console (left out without chromium on the path)', () => {
  const opened = inBrowser(servedConsole)
  beforeAll(async () => {
    const flows = accountManagementModule.flows.of(opened.served.property, { actor: { kind: 'operator', name: 'night shift' } })
    for (const name of hostile.slice(0, 4)) await flows.updateBuilding({ id: pier, name })
    await flows.updateBuilding({ id: pier, name: 'Pier 5' })
    await flows.createProject({ client_id: acme, name: 'Quay' })
  })

  test('tells each change as a sentence with before and after, and leads to its item', async () => {
    const { page, at } = opened
    await at(list)
    const entry = page.getByRole('listitem').filter({ hasText: 'Operator night shift ran update building on Building' }).first()
    await entry.getByText('Pier 5').last().waitFor()
    expect(await entry.innerText()).toContain(hostile[3])
    await entry.getByRole('link', { name: 'Pier 5' }).click()
    await page.getByRole('heading', { name: 'Pier 5', level: 1 }).waitFor()
  })

  test('is narrowed to a kind, by the address, and by time', async () => {
    const { page, at, shows } = opened
    await at(`${list}&kind=createProject`)
    await shows('1 of 6')
    await at(`${list}&from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`)
    await shows('Nothing happened')
    expect(await page.getByLabel('from').inputValue()).toContain('2020-01-01')
  })

  test('saves the list as CSV', async () => {
    const { page, at } = opened
    await at(list)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()])
    const rows = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(rows).toHaveLength(7)
  })

  test('tells of the fifth design by what it records, and that the example of `freehold init` records nothing', async () => {
    const { at, shows } = opened
    const flows = offeredLibraryFlows.of(opened.served.library, { actor: { kind: 'operator', name: 'night shift' } })
    const book = await flows.addBook({ branch_id: opened.served.ids.branch, title: 'Emma', on_shelf: 1 })
    await at(`/library/audit?by=changesOf&item=${encodeURIComponent(`Book ${book.id}`)}`)
    await shows(/ran\s+add book/)
    await shows('Emma')
    await at('/shop/audit')
    await shows('This design keeps no record')
  })

  test('says that it failed, and tries again; and what a key may not see', async () => {
    const { page, at, shows } = opened
    await page.route('**/patterns/auditOfClient*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"code":"Unavailable","detail":"The table does not answer."}',
      }),
    )
    await at(list)
    await page.getByText('The table does not answer.').waitFor()
    await page.unroute('**/patterns/auditOfClient*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await shows('6 of 6')
    const own = await opened.enteredAs('decisions')
    expect(await own.getByRole('navigation').getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await at('/account-management/audit?by=systemAudit', own)
    await shows('This is not for your key', own)
    await own.context().close()
  })

  test('has no flaw that axe finds, in light and dark, and fits 360 px', async () => {
    const { page, at, flaws } = opened
    const ready = async () => {
      await at(list)
      await page.getByRole('listitem').first().waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(await flaws(ready)).toEqual([])
    expect(opened.faults).toEqual([])
  })
})
