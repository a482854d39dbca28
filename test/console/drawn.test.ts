import { beforeAll, describe, expect, test } from 'vitest'
import { property as sample } from '../../packages/cli/src/sample/property.ts'
import { ticketQuestions } from '../../packages/cli/src/sample/tickets.ts'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { servedConsole } from './served-console.ts'

// What a design draws in a browser: settings by levels, how a tenant is made, the policies that decided, and the design itself.

const client = `id=${sample.client.id}`
const accounts = '/account-management'

describe.skipIf(chromium === undefined)('what a design draws (left out without chromium on the path)', () => {
  const browser = inBrowser(servedConsole)
  let page: typeof browser.page
  let at: typeof browser.at
  let shows: typeof browser.shows
  beforeAll(async () => {
    ;({ page, at, shows } = browser)
  })
  const link = (name: string | RegExp) => page.getByRole('link', { name })

  test('settings stand in a column for each level, with what counts at the innermost and where it comes from', async () => {
    const { Setting } = browser.served.property
    const scopes = { client: sample.client.id, project: sample.project.id, building: sample.building.id }
    const set = (scope_type: keyof typeof scopes, key: string, value: string, is_overridable = true) =>
      Setting.create({ scope_type, scope_id: scopes[scope_type], key, value, is_overridable })
    await set('client', 'theme', 'light')
    await set('project', 'theme', 'dark')
    await set('client', 'closing', '22:00', false)
    await set('building', 'closing', '23:30')
    await at(`${accounts}/tenants/Building/Setting?project_id=${sample.project.id}&id=${sample.building.id}`)
    const row = (name: RegExp) => page.getByRole('row', { name })
    await row(/theme.*light.*dark.*–.*dark.*inherited from the project/).waitFor()
    await row(/closing.*22:00.*locked.*23:30.*22:00.*locked.*inherited from the client/).waitFor()
    await at(`${accounts}/tenants/Client/Setting?${client}`)
    await row(/closing.*22:00/).waitFor()
    expect(await page.getByRole('columnheader', { name: /Harbour/ }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'As at the project' }).click()
    await page.getByRole('option', { name: sample.project.name }).click()
    await page.getByRole('columnheader', { name: /Harbour/ }).waitFor()
    await page.reload()
    await row(/theme.*light.*dark.*dark/).waitFor()
    await page.getByRole('button', { name: 'Set setting' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'key' }).fill('language')
    await dialog.getByRole('textbox', { name: 'value', exact: true }).fill('de')
    await dialog.getByRole('button', { name: 'Set setting' }).click()
    await dialog.getByText('Done').waitFor()
    await page.keyboard.press('Escape')
    await row(/language.*de/).waitFor()
  })

  test('a wizard makes a tenant, and goes on after a reload with what it needs to begin', async () => {
    await at(`${accounts}/tenants`)
    await link('New client').click()
    await page.getByRole('button', { name: 'Create client' }).click()
    await shows('Fill this in.')
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Founded')
    await page.getByRole('button', { name: 'Create client' }).click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await page.reload()
    await link('Founded').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'name', exact: true }).fill('Quay')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByText('Done').waitFor()
    await page.keyboard.press('Escape')
    await link('Quay').waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('button', { name: 'Assign role' }).waitFor()
    await link('Open the client').click()
    await page.getByRole('heading', { name: 'Founded' }).waitFor()
  })

  test('a wizard provisions an account by the parts of its inputs, and shows each step as it is done, after a reload, too', async () => {
    await at('/platform/tenants/new')
    const next = () => page.getByRole('button', { name: 'Next', exact: true }).click()
    const type = (name: string, value: string) => page.getByLabel(name).fill(value)
    await page.getByRole('combobox', { name: 'account' }).fill('quay')
    await page.getByRole('textbox', { name: 'name' }).fill('Quay')
    await next()
    await page.getByRole('button', { name: 'Add to addresses' }).click()
    for (const part of ['line1', 'city', 'postal code', 'country']) await type(part, 'x')
    await next()
    await type('email', 'no address')
    await type('first name', 'Ada')
    await type('last name', 'L')
    await next()
    const run = page.getByRole('button', { name: 'Provision account' })
    await run.click()
    await page.getByRole('alert').getByText(/email/).waitFor()
    await page.getByRole('button', { name: 'Technical user' }).click()
    await type('email', 'ada@quay.example')
    await next()
    await run.click()
    await page.getByRole('listitem').getByText('technical role').waitFor()
    await page.reload()
    await page.getByRole('listitem').getByText('credentials', { exact: true }).waitFor()
    await link('Open the account').click()
    await page.getByRole('heading', { name: 'Quay' }).waitFor()
  })

  test('the policies that decided stand with their text, and each row of a list leads to them', async () => {
    const { user, tenant, action, resource } = ticketQuestions.can
    const asked = new URLSearchParams({ user, tenant, action, resource: JSON.stringify(resource) })
    await at(`/authorization/ask?asked=can&${asked}`)
    await page.getByRole('heading', { name: 'Yes' }).waitFor()
    await page.getByText(/@id\("agents-work-on-tickets"\)[\s\S]*permit/).waitFor()
    await at(`/authorization/ask?asked=can&${new URLSearchParams({ ...Object.fromEntries(asked), user: 'vera@acme.example' })}`)
    await page.getByRole('heading', { name: 'No', exact: true }).waitFor()
    asked.delete('action')
    await at(`/authorization/ask?asked=what&${asked}`)
    await page
      .getByRole('row', { name: /closeTicket/ })
      .getByRole('link', { name: 'Why' })
      .click()
    await page.getByText(/@id\("agents-work-on-tickets"\)[\s\S]*permit/).waitFor()
  })

  test('a design has its proofs, its heat, and its declared access as a picture and in words', async () => {
    await at(`${accounts}/design?tab=proofs`)
    await shows('Proven')
    await shows(/Each of the \d+ access patterns is one request/)
    const hot = page.getByText('CLIENT_USERS#SYSTEM', { exact: true })
    await hot.locator('..').getByText('hot', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Access', exact: true }).click()
    await page.locator('.react-flow__node').filter({ hasText: 'UserRoleAssignment' }).waitFor()
    expect(await page.locator('.react-flow__node').filter({ hasText: 'Setting' }).count()).toBe(0)
    await at('/library/design?tab=access')
    await page.getByRole('list', { name: 'A way' }).getByText('Post', { exact: true }).waitFor()
    await at('/platform/design?tab=access')
    await page.locator('.react-flow__node').filter({ hasText: 'GroupRole' }).click()
    await page.getByRole('tab', { name: 'Entities', selected: true }).waitFor()
  })

  test.each([
    `${accounts}/design?tab=proofs`,
    '/platform/design?tab=access',
    `${accounts}/tenants/Client/Setting?${client}&q.Project=${sample.project.id}`,
    `${accounts}/tenants/new`,
    '/platform/tenants/new',
  ])('%s has no flaw that axe finds, in light and dark, and fits 360 px', async (screen) => {
    const ready = async () => {
      await at(screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(await browser.flaws(ready)).toEqual([])
  })

  test('nothing met an error, or what the policy refuses', () => {
    expect(browser.faults).toEqual([])
  })
})
