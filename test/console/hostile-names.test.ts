import { describe, expect, test } from 'vitest'
import { sampleQuestions } from '../../packages/cli/src/sample/load-samples.ts'
import { chromium } from './chromium.ts'
import { hostileSamples } from './hostile-samples.ts'
import { inBrowser } from './in-browser.ts'

// Every screen on the four samples, whose every free text is hostile, in the dark and at 360 pixels: nothing runs, and no page is wider than a phone.

const designs = ['account-management', 'authorization', 'platform', 'rebac']
/** The tabs of a person and of a tenant; one that a design lacks is its first. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  people: ['access', 'may', 'about'],
  tenants: ['people', 'places', 'roles', 'use', 'about'],
}
const pageEntities: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'account-management': { people: 'User', tenants: 'Client' },
  authorization: { people: 'User', tenants: 'Tenant' },
  platform: { people: 'User', tenants: 'Account' },
  rebac: { people: 'User', tenants: 'Location' },
}
const items_max = 3
const textsOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))

describe.skipIf(chromium === undefined)('every screen of the console (left out without chromium on the path)', () => {
  const opened = inBrowser(hostileSamples)
  const settled = async (address: string) => {
    const { page, at } = opened
    await at(address)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('networkidle')
    await page
      .getByText(/^Reading /)
      .first()
      .waitFor({ state: 'detached' })
  }
  const query = (id: Readonly<Record<string, string>>) => new URLSearchParams(id).toString()
  /** The addresses of a design, each with what it is one of: axe looks at one of each. */
  const addressesOf = (design: string): readonly (readonly [address: string, screen: string])[] => {
    const own = opened.served.items.filter((item) => item.design === design)
    const first = (entity: string) => query(own.find((item) => item.entity === entity)?.id ?? {})
    const mostHostile = [...new Map(own.map((item) => [item.entity, item])).values()].sort((one, other) => other.hostile - one.hostile)
    const asked = sampleQuestions.filter((each) => each.design === design && each.asked !== 'can')
    return [
      ...['tenants', 'people', 'roles'].map((each) => [each, each] as const),
      ...asked.map(({ asked: how, body }) => [`ask?${query({ asked: how === 'why' ? 'can' : how, ...textsOf(body) })}`, how] as const),
      ...Object.entries(pageEntities[design] ?? {}).flatMap(([room, entity]) =>
        (tabs[room] ?? []).map((tab) => [`${room}/${entity}/${tab}?${first(entity)}`, `${room} ${tab}`] as const),
      ),
      ...mostHostile.slice(0, items_max).map(({ entity, id }) => [`item/${entity}?${query(id)}`, 'item'] as const),
    ]
  }

  test('has hostile text in the names of everything that is drawn', () => {
    for (const field of ['Client.name', 'User.first_name', 'Role.name', 'Account.name', 'Location.name', 'Tenant.name'])
      expect(opened.served.fields).toContain(field)
    // Names that stand in keys, too.
    for (const field of ['Role.roleName', 'Page.pageName', 'Policy.name', 'RolePermission.menuKey', 'Setting.key'])
      expect(opened.served.fields).toContain(field)
    expect(opened.served.fields.size).toBeGreaterThan(25)
  })

  const seen = new Set<string>()
  const drawn = new Set<string>()
  test.each(designs)(
    '%s with hostile names runs nothing, keeps the width of a phone, and axe finds nothing on one of each screen',
    async (design) => {
      const found: string[] = []
      for (const [address, screen] of addressesOf(design)) {
        const flaws = await opened.flaws(() => settled(`/${design}/${address}`), seen.has(screen) ? 'width' : 'phone')
        seen.add(screen)
        if ((await opened.page.getByRole('main').innerText()).includes('window.ran')) drawn.add(screen)
        if ((await opened.page.evaluate('window.ran')) !== undefined) flaws.push('it ran')
        found.push(...flaws.map((flaw) => `${address}: ${flaw}`))
      }
      expect(found).toEqual([])
    },
  )

  test('hostile text was there to be drawn', () => {
    expect([...seen].filter((each) => !drawn.has(each))).toEqual([])
  })

  test('nothing met an error, or what the policy refuses', () => {
    expect(opened.faults).toEqual([])
  })
})
