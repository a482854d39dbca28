import { readFileSync } from 'node:fs'
import type { Locator, Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { hostile, servedConsole } from './served-console.ts'

// Ctrl-K and the forms of flows, in Chromium against the real service.

const tom = 'ac000000-0000-4000-8000-000000000006'
const pier = 'ac000000-0000-4000-8000-000000000003'
const acme = 'ac000000-0000-4000-8000-000000000001'

describe.skipIf(chromium === undefined)('flows in the console (left out without chromium on the path)', () => {
  const opened = inBrowser(servedConsole)
  const goTo = async (typed: string, on = opened.page) => {
    await on.keyboard.press('Control+k')
    // On a machine with much to do the first letters would reach the page below.
    await on.locator('input[data-autofocus]:focus').waitFor()
    await on.keyboard.type(typed)
  }
  /** A field by its label. One that searches is a text box until it has found something. */
  const field = (label: string, on: Page | Locator = opened.page) => on.getByLabel(new RegExp(`^${label}( \\*)?$`)).and(on.locator('input'))
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true })

  test.each([
    ['/account-management/ask', 'tom@acme.example', 'Tom'],
    ['/account-management/ask', acme, 'Acme Property'],
    ['/account-management/ask', 'acme prop', 'Acme Property'],
    ['/library/ask', 'MEMBER', 'Ada'],
  ])('goes from %s to an item by %s', async (from, typed, name) => {
    const { page, at } = opened
    await at(from)
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    await goTo(typed === 'MEMBER' ? opened.served.ids.member : typed)
    await page
      .getByRole('option', { name: new RegExp(name) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  })

  test('says which lists have more names than it looks at', async () => {
    const { page, at, shows } = opened
    for (let count = 0; count < 50; count++) await opened.served.property.Client.create({ name: `One of many ${count}` })
    await at('/account-management/ask')
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    await goTo('last of many')
    await shows(/By name only the first 50 are searched of: clients/)
  })

  test('says that nothing is found, for a name that would run, too', async () => {
    const { page, at, shows } = opened
    await at('/account-management/ask')
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    await goTo(hostile[0])
    await shows(/Nothing has this id/)
  })

  test('finds why Tom may not reboot the camera, and gives him the role for a week', async () => {
    const { page, at, shows } = opened
    await at('/account-management/ask')
    await field('user').fill('tom@acme.example')
    await field('permission').fill('devices:reboot:camera')
    await field('building').fill(pier)
    await page.keyboard.press('Enter')
    await button('Ask').click()
    await page.getByRole('heading', { name: 'No', exact: true }).waitFor()
    await shows(/^The assignment expired at/)
    await button('Assign role').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A user needs account-management:assign:role at the scope.').waitFor()
    expect(await field('user', dialog).inputValue()).toBe(tom)
    await dialog.getByText('Tom', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'expires at: in a week' }).click()
    await dialog.getByRole('button', { name: 'Assign role' }).click()
    await dialog.getByText('This is what was written.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Yes' }).waitFor()
    await shows(/expires/)
  })

  test('shows the errors of inputs beside their fields', async () => {
    const { page, at } = opened
    await at('/account-management/flow/createBuilding')
    await button('Create building').click()
    expect(await page.getByText('Fill this in.').count()).toBe(2)
    await field('project').fill('no id')
    await field('name').fill(hostile[0])
    await button('Create building').click()
    await page.getByText('Is not a UUID.').waitFor()
    expect(await field('project').getAttribute('aria-invalid')).toBe('true')
  })

  test('shows both versions where somebody was faster, and goes on with the new one', async () => {
    const { page, at, shows } = opened
    await at(`/account-management/flow/updateBuilding?id=${pier}`)
    await field('name').and(page.locator('[value="Pier 4"]')).waitFor()
    await field('city').fill('Bremen')
    const building = await opened.served.property.Building.get({ project_id: 'ac000000-0000-4000-8000-000000000002', id: pier })
    await opened.served.property.Building.update({ project_id: building?.project_id ?? '', id: pier }, { city: 'Kiel' })
    await button('Update building').click()
    await shows('Somebody has changed it meanwhile')
    const row = page.getByRole('row', { name: /^city/ })
    expect(await row.getByRole('cell').allTextContents()).toEqual(['–', 'Kiel', 'Bremen'])
    await button('Go on with the version of now').click()
    await button('Update building').click()
    await shows('This is what was written.')
    expect((await opened.served.property.Building.get({ project_id: building?.project_id ?? '', id: pier }))?.city).toBe('Bremen')
  })

  test('says that a lost answer leaves a write uncertain, and sends it again without a second effect', async () => {
    const { page, at, shows } = opened
    await at(`/account-management/flow/createProject?client_id=${acme}`)
    await field('name').fill('Quay')
    // The service does it, and every answer is lost.
    await page.route('**/flows/createProject', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button('Create project').click()
    await page.getByText('Nobody knows whether it was done').waitFor()
    await page.unroute('**/flows/createProject')
    await button('Send it again').click()
    await shows(/^(Done|It was done before)$/)
    const { items } = await opened.served.property.projectsOfClient({ client_id: acme })
    expect(items.filter(({ name }) => name === 'Quay')).toHaveLength(1)
  })

  test('a customer has left: exports it, deletes it by its typed name alone, and shows that nothing is left', async () => {
    const { page, at, shows } = opened
    const { id } = await opened.served.property.Client.create({ name: 'Leaving', status: 'active' })
    const user = { client_id: id, email: 'last@leaving.example', user_type: 'external_customer', status: 'active' } as const
    await opened.served.property.User.create(user)
    await at('/account-management/ask')
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    await goTo('leaving')
    await page.getByRole('option', { name: /Leaving/ }).waitFor()
    await page.keyboard.press('Enter')
    await button('Do …').click()
    await page.getByRole('menuitem', { name: 'export client' }).click()
    await button('Export client').click()
    const [download] = await Promise.all([page.waitForEvent('download'), button('Save all').click()])
    expect(readFileSync(await download.path(), 'utf8')).toContain('last@leaving.example')
    await page.goBack()
    await button('Do …').click()
    await page.getByRole('menuitem', { name: 'delete client' }).click()
    await shows('This cannot be undone')
    await shows('User: 1')
    expect(await button('Delete client').isDisabled()).toBe(true)
    await page.getByLabel('Type its name').fill('Leaving')
    await button('Delete client').click()
    await shows(/^(Done|Begun)$/)
    await opened.served.property.jobs.resume()
    await at(`/account-management/flow/exportClient?id=${id}`)
    await button('Export client').click()
    await shows('There is no such item')
    for (const name of ['leaving', 'last@leaving.example']) {
      await at('/account-management/ask')
      await page.getByRole('heading', { name: 'Ask' }).waitFor()
      await goTo(name)
      await shows(/Nothing has this id/)
    }
  })

  test('runs the flows of the fifth design without code of its own', async () => {
    const { page, at, shows } = opened
    await at('/library/ask')
    await page.getByRole('heading', { name: 'Ask' }).waitFor()
    await goTo('add book')
    await page.keyboard.press('Enter')
    await field('branch').fill(opened.served.ids.branch)
    await field('title').fill('Persuasion')
    await field('on shelf').fill('2')
    await button('Add book').click()
    await shows('This is what was written.')
  })

  test('shows no flow to a key that runs none, and for a key for flows those of users alone, which it names', async () => {
    const reader = await opened.enteredAs('read')
    await goTo('assign role', reader)
    await opened.shows(/Nothing has this id/, reader)
    await reader.context().close()
    const runner = await opened.enteredAs('flows')
    await opened.at('/account-management/flow/deleteClient', runner)
    await opened.shows('There is no such flow for your key', runner)
    await opened.at('/account-management/flow/assignRole', runner)
    await runner.getByRole('button', { name: 'Assign role', exact: true }).click()
    expect(await field('As the user', runner).getAttribute('aria-invalid')).toBe('true')
    await runner.context().close()
  })

  test('shows a user of a tenant what it may do, asked in one batch, and an operator all without asking', async () => {
    const { User, Role, UserRoleAssignment } = opened.served.property
    const scope = { scope_type: 'client', scope_id: acme } as const
    const boss = await User.create({ client_id: acme, email: 'boss@acme.example', first_name: 'Boss', user_type: 'client_admin' })
    const permissions = ['assign', 'revoke'].map((action) => ({ module: 'account-management', action, resource: 'role' }))
    const role = await Role.create({ client_id: acme, name: 'giver', permissions })
    await UserRoleAssignment.create({ user_id: boss.id, role_id: role.id, role_owner: acme, ...scope })
    const own = await opened.enteredAs('tenant', acme)
    const batches: number[] = []
    const count = (request: Request) => {
      if (request.url().endsWith('/permitted')) batches.push(JSON.parse(request.postData() ?? '{}').calls.length)
    }
    own.on('request', count)
    opened.page.on('request', count)
    const doing = own.getByRole('main').getByRole('button', { name: /role|Do …/ })
    await opened.at(`/account-management/people/User/access?id=${boss.id}`, own)
    await own.getByRole('row', { name: /giver/ }).waitFor()
    expect([await doing.count(), batches]).toEqual([0, []])
    await own.getByLabel('You act as').fill('boss@acme.example')
    await own.getByRole('row', { name: /giver/ }).getByRole('button', { name: 'Revoke role' }).waitFor()
    expect(batches.length).toBe(1)
    expect(batches[0]).toBeGreaterThan(3)
    await own.getByRole('button', { name: 'Do …' }).click()
    const offered = await own.getByRole('menuitem').allInnerTexts()
    // It ends its own sessions.
    expect(offered).toEqual(expect.arrayContaining(['assign role', 'revoke role', 'end session']))
    expect(offered.filter((each) => /^(move|remove|delete|update) user/.test(each))).toEqual([])
    await own.keyboard.press('Escape')
    await own.getByLabel('You act as').fill('tom@acme.example')
    await doing.first().waitFor({ state: 'detached' })
    await own.getByLabel('You act as').fill('nobody@acme.example')
    await opened.shows('There is no such user here.', own)
    await own.getByLabel('You act as').fill('boss@acme.example')
    await own.getByRole('main').getByRole('button', { name: 'Assign role' }).waitFor()
    await own.evaluate(`location.assign('#/account-management/flow/updateUser?id=${tom}')`)
    await opened.shows('This user may not do this', own)
    // It asks once more when it has read the user.
    await own.getByRole('button', { name: 'Update user', disabled: true }).waitFor()
    await own.context().close()
    batches.length = 0
    await opened.at(`/account-management/people/User/access?id=${boss.id}`)
    await button('Revoke role').waitFor()
    expect(batches).toEqual([])
    opened.page.off('request', count)
  })

  test('hides a secret that is typed, and takes none from the address', async () => {
    const { page, at, shows } = opened
    await at(`/account-management/flow/setPassword?id=${tom}&password_hash=from-a-link`)
    const hash = field('password hash')
    await hash.waitFor()
    expect([await hash.getAttribute('type'), await hash.inputValue()]).toEqual(['password', ''])
    const secret = '$2b$12$abcdefghijklmnopqrstuuPx8Gk8JbK9kHn5b9mJ4lQh7m2O1yN1e'
    await hash.fill(secret)
    await button('Set password').click()
    await shows('This is what was written.')
    expect(await hash.inputValue()).toBe('')
    expect([page.url(), await page.content()].join()).not.toContain(secret)
  })

  test.each([
    `/account-management/flow/updateBuilding?id=${pier}`,
    `/account-management/flow/deleteClient?id=${acme}`,
    `/account-management/item/User?id=${tom}`,
    `/account-management/ask?${new URLSearchParams({ asked: 'can', user: 'tom@acme.example', building: pier, permission: 'devices:reboot:lamp' })}`,
  ])('%s has no flaw that axe finds, in light and dark, and fits 360 px', async (screen) => {
    const { page, at, flaws } = opened
    const ready = async () => {
      await at(screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(await flaws(ready)).toEqual([])
  })

  test('Ctrl-K has no flaw that axe finds', async () => {
    const { page, at, flaws } = opened
    const ready = async () => {
      await at('/account-management/ask')
      await page.getByRole('heading', { name: 'Ask' }).waitFor()
      await goTo('role')
      await page.getByRole('option').first().waitFor()
    }
    expect(await flaws(ready)).toEqual([])
  })

  test('has met no error, and nothing that its policy refuses', () => {
    expect(opened.faults).toEqual([])
  })
})
