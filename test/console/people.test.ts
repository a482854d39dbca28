import { beforeAll, describe, expect, test } from 'vitest'
import { property as sample } from '../../packages/cli/src/sample/property.ts'
import { chromium } from './chromium.ts'
import { inBrowser } from './in-browser.ts'
import { hostile, servedConsole } from './served-console.ts'

// Tenants, people and roles in a browser: of a finished design, of the fifth, and of the example of `freehold init`, without code for any of them.

const [grace] = sample.users
const client = `id=${sample.client.id}`
const accounts = '/account-management'

describe.skipIf(chromium === undefined)('tenants, people and roles (left out without chromium on the path)', () => {
  const browser = inBrowser(servedConsole)
  let page: typeof browser.page
  let at: typeof browser.at
  let shows: typeof browser.shows
  const ids = { empty: '', many: '', few: '', head: '', deputy: '', porter: '' }
  beforeAll(async () => {
    const { Client, User, Role, Permission, UserRoleAssignment } = browser.served.property
    const newClient = async (name: string, users: readonly string[]) => {
      const { id } = await Client.create({ name })
      for (const [index, first_name] of users.entries())
        await User.create({ client_id: id, email: `u${index}@${id}.example`, first_name, user_type: 'external_customer' })
      return id
    }
    ids.empty = await newClient('Empty', [])
    ids.few = await newClient('Few', [...hostile.slice(0, 5), ...Array.from({ length: 5 }, (_, index) => `Few ${index}`)])
    ids.many = await newClient(
      'Many',
      Array.from({ length: 120 }, (_, index) => `Many ${index}`),
    )
    const client_id = sample.client.id
    await Permission.create({ module: 'devices', action: 'reboot', resource: 'camera', is_dangerous: true })
    await Permission.create({ module: 'doors', action: 'open', resource: 'door' })
    const doors = { module: 'doors', action: 'open', resource: 'door' }
    ids.head = (await Role.create({ client_id, name: 'head', permissions: [{ module: 'devices', action: '*', resource: '*' }] })).id
    ids.deputy = (await Role.create({ client_id, name: 'deputy', parent_role_id: ids.head, permissions: [doors] })).id
    ids.porter = (await Role.create({ client_id, name: 'porter', permissions: [doors] })).id
    const scope = { role_owner: client_id, scope_type: 'project', scope_id: sample.project.id } as const
    const later = { start_at: '2090-01-01T00:00:00.000Z', expires_at: '2091-01-01T00:00:00.000Z' }
    await UserRoleAssignment.create({ user_id: grace.id, role_id: ids.deputy, ...scope, ...later })
    ;({ page, at, shows } = browser)
  })
  const isWell = async (screen: string) => {
    const ready = async () => {
      await at(screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(await browser.flaws(ready)).toEqual([])
  }
  const link = (name: string | RegExp) => page.getByRole('link', { name })
  const fill = (name: string, value: string) => page.getByRole('combobox', { name }).fill(value)
  const tab = (name: string) => page.getByRole('tab', { name }).click()

  test('a tenant is found by keyboard alone, with its people, its places and who has access', async () => {
    await at(`${accounts}/tenants`)
    await page.getByLabel('Find one by id').fill(sample.client.id)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Clear' }).waitFor()
    await link(sample.client.name).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: sample.client.name }).waitFor()
    await link('Grace').waitFor()
    await page.getByRole('tab', { name: 'Users' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(page.url()).toContain('/tenants/Client/places?')
    await page.getByRole('button', { name: `What lies in ${sample.project.name}` }).focus()
    await page.keyboard.press('Enter')
    await link(sample.building.name).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: sample.building.name }).waitFor()
    await page.getByRole('table', { name: 'Given at this building itself' }).getByRole('link', { name: 'Grace' }).first().waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: sample.client.name }).waitFor()
  })

  test('who may do something at a place is asked there', async () => {
    await at(`${accounts}/tenants/Building/may?project_id=${sample.project.id}&id=${sample.building.id}`)
    await fill('permission', 'devices:reboot:camera')
    await page.getByRole('button', { name: 'Ask' }).click()
    await shows(grace.email)
  })

  test('a person has everything that it holds on a time line, by name, and all that it may do at a place', async () => {
    await at(`${accounts}/people?find=${grace.email}`)
    await link('Grace').click()
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('caretaker.*Pier 4').getByText('holds').waitFor()
    await row('deputy.*Harbour').getByText('not yet').waitFor()
    await tab('What it may')
    await fill('building', sample.building.id)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await shows('devices:reboot:camera')
    await tab('About')
    await page.getByRole('button', { name: /sessions/i }).click()
    await shows('No items')
    await at(`${accounts}/people/User/access?id=${sample.users[1].id}`)
    await row('caretaker').getByText('ended').waitFor()
  })

  test('who can open the doors of Pier 4, since when, and who gave it to them, is found from Ask', async () => {
    await at(`${accounts}/ask?${new URLSearchParams({ asked: 'who', building: sample.building.id, permission: 'doors:open:door' })}`)
    await page.getByRole('table', { name: 'Who may' }).getByRole('link', { name: 'Ida' }).click()
    const told = page.getByRole('row', { name: /doorkeeper.*Pier 4.*Grace.*holds/ })
    await told.waitFor()
    expect(await told.locator('time').first().getAttribute('datetime')).toBe(sample.doors.start_at)
    expect(await page.getByRole('table', { name: 'Who may' }).count()).toBe(0)
    await told.getByRole('link', { name: 'Pier 4' }).click()
    const given = page.getByRole('table', { name: 'Given at this building itself' }).getByRole('row', { name: /Ida.*doorkeeper.*Grace/ })
    await given.getByRole('link', { name: 'Grace' }).waitFor()
    expect(await given.locator('time').first().getAttribute('datetime')).toBe(sample.doors.start_at)
  })

  test('Back brings the text of a search, and of a question about an item', async () => {
    await at(`${accounts}/people?find=${grace.email}`)
    const find = page.getByLabel(/^Find one by/)
    await link('Grace').waitFor()
    await find.fill('tom@acme.example')
    await page.keyboard.press('Enter')
    await link('Tom').waitFor()
    await page.goBack()
    await link('Grace').waitFor()
    expect(await find.inputValue()).toBe(grace.email)
    await at(`${accounts}/tenants/Building/may?project_id=${sample.project.id}&id=${sample.building.id}&q.permission=doors:open:door`)
    await shows('ida@acme.example')
    await fill('permission', 'devices:reboot:camera')
    await page.getByRole('button', { name: 'Ask' }).click()
    await shows(grace.email)
    await page.goBack()
    await shows('ida@acme.example')
    expect(await page.getByRole('combobox', { name: 'permission' }).inputValue()).toBe('doors:open:door')
  })

  test('a role grid says where what is inherited is more than is shown', async () => {
    const { Role } = browser.served.property
    let parent_role_id: string | undefined
    for (let level = 0; level < 12; level++)
      parent_role_id = (
        await Role.create({
          client_id: sample.client.id,
          name: `level ${level}`,
          permissions: [],
          ...(parent_role_id && { parent_role_id }),
        })
      ).id
    await at(`${accounts}/roles?client_id=${sample.client.id}&id=${parent_role_id}`)
    await shows(/It inherits more than is shown/)
  })

  test('a role is a grid with wildcards, what is inherited and what is dangerous; and who has it', async () => {
    await at(`${accounts}/tenants/Client/roles?${client}`)
    await link('deputy').click()
    const grid = page.getByRole('table', { name: 'What the role allows' })
    await grid.getByText('allowed, by devices:*:*, inherited from head, dangerous').waitFor({ state: 'attached' })
    await grid.getByRole('row', { name: /doors/ }).waitFor()
    const doors = await grid.getByRole('row', { name: /doors/ }).getByText('allowed', { exact: true }).count()
    expect(doors).toBe(1)
    await page.getByRole('table', { name: 'Who has it' }).getByRole('link', { name: 'Grace' }).waitFor()
  })

  test('a list of users sends as many requests for ten as for many', async () => {
    const requestsOf = async (id: string) => {
      let requests = 0
      const count = () => requests++
      page.on('request', count)
      await at(`${accounts}/tenants/Client/people?id=${id}`)
      await shows(/^(10 users|50 users, and more)$/)
      await page.waitForLoadState('networkidle')
      page.off('request', count)
      return requests
    }
    expect(await requestsOf(ids.many)).toBe(await requestsOf(ids.few))
    await at(`${accounts}/tenants/Client/people?id=${ids.many}`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await shows('100 users, and more')
  })

  test('hostile names are text, and keep the width of the page', async () => {
    await at(`${accounts}/tenants/Client/people?id=${ids.few}`)
    await link(hostile[0]).first().waitFor()
    expect(await page.evaluate('[window.ran === undefined, document.documentElement.scrollWidth - innerWidth]')).toEqual([true, 0])
  })

  test.each([
    ['/account-management/tenants/Client/people?id=EMPTY', 'This client has no users'],
    ['/account-management/roles', 'There are no roles here yet'],
    ['/account-management/people', 'This design has no list of all users'],
    ['/account-management/people?find=nobody@x.example', 'No user is found'],
    ['/library/tenants', 'This design has no list of all branches'],
    [`/library/tenants/Branch/may?id=bbbbbbbb-0000-4000-8000-00000000ffff`, 'There is no such branch'],
    ['/library/people/constructor/access?id=1', 'There is no such entity'],
  ])('%s has words for what is not there', async (address, words) => {
    await at(address.replace('EMPTY', ids.empty))
    await shows(words)
  })

  test.each([
    [`tenants`, '**/patterns/clients', 'The table does not answer.'],
    [`tenants/Client/people?${client}`, '**/patterns/usersOfClient', 'The table does not answer.'],
    [`people/User/access?id=${grace.id}`, '**/patterns/rolesOfUser', 'The table does not answer.'],
    ['roles', '**/patterns/systemRoles', 'The table does not answer.'],
  ])('%s says that it failed, and reads again', async (address, path, words) => {
    const body = `{"code":"Unavailable","detail":"${words}"}`
    await page.route(path, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body }))
    await at(`${accounts}/${address}`)
    await shows(words)
    await page.unroute(path)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(words).waitFor({ state: 'detached' })
  })

  test('a key that reads sees them', async () => {
    const own = await browser.enteredAs('read')
    await at(`${accounts}/tenants/Client/people?${client}`, own)
    await own.getByRole('link', { name: 'Grace' }).waitFor()
    await own.context().close()
  })

  test('a role is given for a time and taken at a person, and a key that only reads has no button for it', async () => {
    const { id } = await browser.served.property.User.create({
      ...{ client_id: sample.client.id, email: 'given@acme.example', first_name: 'Given', user_type: 'external_customer' },
    })
    await at(`${accounts}/people/User/access?id=${id}`)
    await page.getByRole('button', { name: 'Assign role' }).click()
    const dialog = page.getByRole('dialog')
    const input = (label: string) => dialog.getByLabel(new RegExp(`^${label}( \\*)?$`)).and(dialog.locator('input'))
    expect(await input('user').inputValue()).toBe(id)
    await input('role').fill(ids.porter)
    await page.keyboard.press('Tab')
    await input('scope type').click()
    await page.getByRole('option', { name: 'building' }).click()
    await input('scope').fill(sample.building.id)
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'expires at: in a week' }).click()
    await dialog.getByRole('button', { name: 'Assign role' }).click()
    await dialog.getByText('This is what was written.').waitFor()
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name: /porter.*Pier 4.*holds/ })
    await row.waitFor()
    const own = await browser.enteredAs('read')
    await at(`${accounts}/people/User/access?id=${id}`, own)
    await own.getByRole('row', { name: /porter/ }).waitFor()
    expect(
      await own
        .getByRole('main')
        .getByRole('button', { name: /role|Do …/ })
        .count(),
    ).toBe(0)
    await own.context().close()
    await row.getByRole('button', { name: 'Revoke role' }).click()
    await dialog.getByRole('button', { name: 'Revoke role' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('an account has its licences with their seats, and what its provisioning has done, as it is done', async () => {
    const { Account, License, Enterprise, Provisioning } = browser.served.platform
    await Account.create({ id: 'acme', name: 'Acme' })
    await Enterprise.create({ id: 'big', name: 'Big' })
    await License.create({ accountId: 'acme', enterpriseId: 'big', endDate: '2090-12-31', seats: 4, seatsUsed: 3 })
    await at('/platform/tenants/Account/use?id=acme')
    await shows('3 of 4')
    const steps = [{ step: 'account', outcome: 'done' as const }]
    const report = await Provisioning.create({ accountId: 'acme', job: 'job', steps })
    await at('/platform/tenants/Account/provisioning?id=acme')
    await shows('account')
    await Provisioning.update(
      { accountId: 'acme' },
      { steps: [...steps, { step: 'workstream', outcome: 'failed' as const, reason: 'It is there.' }] },
      { version: report.version },
    )
    await shows('It is there.')
  })

  test('the fifth design has them: a place by its id, what a member holds now, and its declared roles', async () => {
    await at('/library/tenants')
    await page.getByLabel('Find one by id').fill(browser.served.ids.branch)
    await page.keyboard.press('Enter')
    await link('North').click()
    await tab('Who may')
    await page.getByRole('combobox', { name: 'action' }).click()
    await page.getByRole('option', { name: 'lend' }).click()
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByRole('table', { name: 'Who may' }).getByText(/…/).first().waitFor()
    await at(`/library/people/Member/access?id=${browser.served.ids.member}`)
    await page
      .getByRole('row', { name: /librarian.*North/ })
      .getByText('holds')
      .waitFor()
    await at('/library/roles')
    const row = page.getByRole('table', { name: 'What each role allows' }).getByRole('row', { name: /catalogue/ })
    await row.waitFor()
    expect(await row.getByText('allowed', { exact: true }).count()).toBe(1)
  })

  test('the example of `freehold init` has them', async () => {
    const { shopId } = await browser.served.shop.Shop.create({ name: 'Harbour' })
    const { personId } = await browser.served.shop.Person.create({ name: 'Grace' })
    await browser.served.shop.Post.create({ personId, shopId, role: 'owner' })
    await at(`/shop/people?find=${personId}`)
    await link('Grace').click()
    await page.getByRole('row', { name: /owner.*Harbour/ }).waitFor()
    await link('Harbour').click()
    await page.getByRole('row', { name: /Grace.*owner/ }).waitFor()
  })

  test.each([
    `${accounts}/tenants`,
    `${accounts}/tenants/Client/people?${client}`,
    `${accounts}/tenants/Client/places?${client}`,
    `${accounts}/people/User/access?id=${grace.id}`,
    `${accounts}/people/User/about?id=${grace.id}`,
    '/library/roles',
    '/platform/tenants/Account/use?id=acme',
    '/platform/tenants/Account/provisioning?id=acme',
  ])('%s has no flaw that axe finds, in light and dark, and fits 360 px', isWell)

  test('the attributes of a person with a hostile name have no flaw that axe finds, and fit 360 px', async () => {
    const { id } = await browser.served.property.User.create({
      ...{ client_id: ids.few, email: 'long@few.example', first_name: `<b>\u202e${'x'.repeat(90)}`, user_type: 'external_customer' },
    })
    await isWell(`${accounts}/people/User/about?id=${id}`)
    await isWell(`${accounts}/item/User?id=${id}`)
  })

  test('a role has no flaw that axe finds, in light and dark, and fits 360 px', () =>
    isWell(`${accounts}/roles?client_id=${sample.client.id}&id=${ids.deputy}`))

  test('nothing met an error, or what the policy refuses', () => {
    expect(browser.faults).toEqual([])
  })
})
