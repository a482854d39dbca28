import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { agency, Firm, Site } from '../../test/agency/design.ts'
import { noWait } from '../../test/depot/table.ts'
import { add } from '../atomic.ts'
import { checking, count, creating, design, entity, type Step, text, ulid, updating } from '../index.ts'
import { connect } from './connect.ts'
import { restoreItems } from './restore.ts'
import { scanItems } from './scan.ts'

/** Two firms in one table, each as its own tenant, and the operator who made them. */
async function twoFirms() {
  const operator = await ownTableOf(agency)
  const firm = async (name: string) => {
    const { id } = await operator.Firm.create({ name })
    const table = connect(agency, { table: operator.runtime.table, sender: operator.runtime.sender, sleep: noWait, tenant: id })
    const site = await table.Site.create({ firm_id: id, name: `Site of ${name}` })
    const skill = await table.Skill.create({ firm_id: id, name: `Skill of ${name}` })
    const post = await table.Post.create({ place_type: 'site', place_id: site.id, skill_id: skill.id, skill_owner: id })
    return { id, table, site, skill, post }
  }
  return { operator, ours: await firm('Ours'), theirs: await firm('Theirs'), shared: await operator.Skill.create({ name: 'Reading' }) }
}

const denied = { code: 'Denied', details: { reason: 'AnotherTenant' } }

describe('a tenant', () => {
  test('reads its own items and what is shared; those of another are not there', async () => {
    const { ours, theirs, shared } = await twoFirms()
    expect(await ours.table.Site.get({ firm_id: ours.id, id: ours.site.id })).toBeDefined()
    expect(await ours.table.Skill.get({ id: shared.id })).toBeDefined()
    expect(await ours.table.Firm.get({ id: theirs.id })).toBeUndefined()
    expect(await ours.table.Site.get({ firm_id: theirs.id, id: theirs.site.id }, { consistent: true })).toBeUndefined()
    expect(await ours.table.Post.getMany([{ id: theirs.post.id }, { id: ours.post.id }])).toEqual([undefined, ours.post])
    expect(await ours.table.SitePlace.get({ id: theirs.site.id })).toBeUndefined()
  })

  test('lists only what is within: by name it asks for no other, by id it finds none, and what crosses tenants is not for it', async () => {
    const { operator, ours, theirs, shared } = await twoFirms()
    await operator.Post.create({ place_type: 'firm', place_id: ours.id, skill_id: shared.id, skill_owner: 'SHARED' })
    await operator.Post.create({ place_type: 'firm', place_id: theirs.id, skill_id: shared.id, skill_owner: 'SHARED' })
    await expect(ours.table.everythingOfFirm({ firm_id: theirs.id })).rejects.toMatchObject(denied)
    expect((await ours.table.postsOfFirm({ place_id: theirs.id })).items).toEqual([])
    expect((await ours.table.postsOfSkill({ skill_id: shared.id })).items.map(({ firm_id }) => firm_id)).toEqual([ours.id])
    expect((await operator.postsOfSkill({ skill_id: shared.id })).items).toHaveLength(2)
    await expect(ours.table.skillsOfTool({ tool_id: theirs.id })).rejects.toMatchObject(denied)
    await expect(ours.table.posts({ id: ours.post.id })).rejects.toMatchObject(denied)
  })

  test('writes nothing of another, whatever ids it names', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const notFound = { code: 'NotFound' }
    await expect(ours.table.Site.create({ firm_id: theirs.id, name: 'x' })).rejects.toMatchObject(denied)
    await expect(ours.table.Firm.create({ name: 'x' })).rejects.toMatchObject(denied)
    await expect(ours.table.Site.update({ firm_id: theirs.id, id: theirs.site.id }, { name: 'x' })).rejects.toMatchObject(notFound)
    await expect(ours.table.Site.move({ firm_id: theirs.id, id: theirs.site.id }, { firm_id: ours.id })).rejects.toMatchObject(notFound)
    await expect(ours.table.Site.remove({ firm_id: theirs.id, id: theirs.site.id })).rejects.toMatchObject(notFound)
    await expect(ours.table.Firm.remove({ id: theirs.id })).rejects.toMatchObject(notFound)
    await expect(ours.table.Site.ensure({ ...theirs.site, Type: undefined, version: undefined } as never)).rejects.toThrow()
    const [outcome] = await ours.table.Site.createMany([{ firm_id: theirs.id, name: 'x' }])
    expect(outcome?.error).toMatchObject(denied)
    const steps = {
      check: checking(agency.entities.Site, { firm_id: theirs.id, id: theirs.site.id }),
      own: creating(agency.entities.Site, { firm_id: ours.id, name: 'y' }),
    }
    await expect(ours.table.transact(steps)).rejects.toMatchObject({ code: 'TransactionFailed' })
    expect(await operator.Site.get({ firm_id: theirs.id, id: theirs.site.id })).toEqual(theirs.site)
    expect((await operator.everythingOfFirm({ firm_id: ours.id })).items).toHaveLength(3)
  })

  test('refers to nothing of another, also where that is copied from', async () => {
    const { ours, theirs } = await twoFirms()
    const post = { place_type: 'site', place_id: ours.site.id, skill_id: ours.skill.id, skill_owner: ours.id } as const
    const missing = { code: 'MissingEnd' }
    await expect(ours.table.Post.create({ ...post, place_id: theirs.site.id })).rejects.toMatchObject(missing)
    await expect(ours.table.Post.create({ ...post, skill_id: theirs.skill.id, skill_owner: theirs.id })).rejects.toMatchObject(missing)
    await expect(ours.table.Post.update({ id: ours.post.id }, { place_id: theirs.site.id })).rejects.toMatchObject(missing)
    await expect(ours.table.Post.update({ id: ours.post.id }, { place_type: 'firm', place_id: theirs.id })).rejects.toMatchObject(missing)
  })

  test('refers to what is shared, and writes none of it', async () => {
    const { operator, ours, shared } = await twoFirms()
    const post = { place_type: 'firm', place_id: ours.id, skill_id: shared.id, skill_owner: 'SHARED' } as const
    expect(await ours.table.Post.create(post)).toMatchObject({ firm_id: ours.id })
    await expect(ours.table.Skill.create({ name: 'x' })).rejects.toMatchObject(denied)
    await expect(ours.table.Skill.update({ id: shared.id }, { name: 'x' })).rejects.toMatchObject(denied)
    await expect(ours.table.Skill.remove({ id: shared.id })).rejects.toMatchObject(denied)
    const tool = await operator.Tool.create({ name: 'Lamp' })
    await expect(ours.table.SkillTool.create({ skill_id: shared.id, tool_id: tool.id })).rejects.toMatchObject(denied)
    expect(await ours.table.SkillTool.create({ skill_id: ours.skill.id, firm_id: ours.id, tool_id: tool.id })).toBeDefined()
    expect(await operator.Skill.get({ id: shared.id })).toEqual(shared)
  })

  test('writes nothing of operators or of all, by no atomic change either, and neither checks nor refers to what is of operators', async () => {
    const attributes = { id: text(), uses: count().made(0) }
    const Rate = entity('Rate', { attributes, key: ['RATE#{id}', 'META'] })
    const Rule = entity('Rule', { attributes, key: ['RULE#{id}', 'META'] })
    const Bill = entity('Bill', {
      attributes: { id: text(), firm: text(), rate: text() },
      key: ['BILL#{id}', 'META'],
      refers: { rate: Rate },
    })
    const tenants = { by: 'firm', shared: [Rule], operators: [Rate] }
    const bills = design({ name: 'bills', table: 'bills', entities: { Rate, Rule, Bill }, patterns: {}, tenants })
    const operator = await ownTableOf(bills)
    await Promise.all([operator.Rate.create({ id: 'r' }), operator.Rule.create({ id: 'r' })])
    const ours = connect(bills, { table: operator.runtime.table, sender: operator.runtime.sender, tenant: 'a' })
    const absent = { code: 'NotFound' }
    await expect(ours.Rate.update({ id: 'r' }, { uses: add(1) })).rejects.toMatchObject(absent)
    await expect(ours.Rule.update({ id: 'r' }, { uses: add(1) })).rejects.toMatchObject(denied)
    await expect(ours.transact({ check: checking(Rate, { id: 'r' }) })).rejects.toMatchObject({ details: { failures: { check: absent } } })
    await expect(ours.Bill.create({ id: 'b', firm: 'a', rate: 'r' })).rejects.toMatchObject({ code: 'MissingEnd' })
    for (const item of [await operator.Rate.get({ id: 'r' }), await operator.Rule.get({ id: 'r' })]) expect(item).toMatchObject({ uses: 0 })
  })

  test('removes its own with all that hangs on it, and its copies follow', async () => {
    const { operator, ours, theirs } = await twoFirms()
    await ours.table.Site.update({ firm_id: ours.id, id: ours.site.id }, { name: 'Renamed' })
    expect((await ours.table.Post.get({ id: ours.post.id }))?.place_name).toBe('Renamed')
    await ours.table.Firm.remove({ id: ours.id })
    expect(await operator.Post.get({ id: ours.post.id })).toBeUndefined()
    expect(await operator.Post.get({ id: theirs.post.id })).toBeDefined()
  })

  test('is not told that something of another is there: neither by a check, nor by what refers to it, nor by what is malformed', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const { Site, SitePlace } = agency.entities
    const absent = { code: 'NotFound' }
    const failing = (check: Step) =>
      expect(ours.table.transact({ check })).rejects.toMatchObject({ details: { failures: { check: absent } } })
    await failing(checking(Site, { firm_id: theirs.id, id: theirs.site.id }, { version: 7 }))
    await failing(checking(Site, { firm_id: theirs.id, id: theirs.site.id }, { where: { name: 'x' } }))
    await operator.transact({ mark: updating(Site, { firm_id: theirs.id, id: theirs.site.id }, { name: 'y' }) })
    const place = { PK: `SITE#${theirs.site.id}`, SK: 'META', Type: 'SitePlace', version: 2, id: theirs.site.id, firm_id: theirs.id }
    await restoreItems(operator.runtime, [{ ...place, name: 'y', deleting: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }])
    await failing(checking(SitePlace, { id: theirs.site.id }))
    const tool = await operator.Tool.create({ name: 'Lamp' })
    await operator.SkillTool.create({ skill_id: theirs.skill.id, firm_id: theirs.id, tool_id: tool.id })
    const link = { skill_id: theirs.skill.id, firm_id: ours.id, tool_id: tool.id }
    await expect(ours.table.SkillTool.create(link)).rejects.toMatchObject({
      code: 'MissingEnd',
      message: expect.stringContaining('is absent'),
    })
    const lost = { PK: `PLACE#firm#${theirs.id}`, SK: 'POST#x', version: 1 }
    await restoreItems(operator.runtime, [
      { ...lost, Type: 'Widget', firm_id: theirs.id },
      { ...lost, SK: 'POST#y' },
    ])
    expect((await operator.postsOfFirm({ place_id: theirs.id })).malformed).toHaveLength(2)
    expect(await ours.table.postsOfFirm({ place_id: theirs.id })).toEqual({ items: [] })
  })

  test('is not told by a cursor how much there is of another', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const posts = Array.from({ length: 40 }, (_, index) => {
      const id = `01ARZ3NDEKTSV4RRFFQ69G5F${index + 10}`
      return { PK: `PLACE#firm#${theirs.id}`, SK: `POST#${id}`, Type: 'PlacePost', version: 1, id, place_type: 'firm', place_id: theirs.id }
    })
    await restoreItems(
      operator.runtime,
      posts.map((post) => ({ ...post, firm_id: theirs.id })),
    )
    expect(await ours.table.postsOfFirm({ place_id: theirs.id }, { limit: 1 })).toEqual({ items: [] })
  })

  test('works on no whole table', async () => {
    const { ours } = await twoFirms()
    const scanned = async () => {
      for await (const page of scanItems(ours.table.runtime)) expect(page).toBeUndefined()
    }
    await expect(scanned()).rejects.toMatchObject(denied)
    await expect(restoreItems(ours.table.runtime, [])).rejects.toMatchObject(denied)
    await expect(ours.table.jobs.list()).rejects.toMatchObject(denied)
    await expect(ours.table.jobs.resume()).rejects.toMatchObject(denied)
  })

  test('does not change whose an item is', async () => {
    const { operator, ours, theirs } = await twoFirms()
    await expect(ours.table.Site.move({ firm_id: ours.id, id: ours.site.id }, { firm_id: theirs.id })).rejects.toThrow()
    await expect(
      operator.transact({ a: updating(agency.entities.Firm, { id: theirs.id }, { name: 'by an operator' }) }),
    ).resolves.toBeDefined()
  })
})

describe('an operator', () => {
  const foreign = { code: 'MissingEnd', message: expect.stringContaining("another tenant's") }

  test('makes no item of one tenant that refers to another one, whichever of its ends is foreign', async () => {
    const { operator, ours, theirs, shared } = await twoFirms()
    const post = { place_type: 'site', place_id: ours.site.id, skill_id: ours.skill.id, skill_owner: ours.id } as const
    await expect(operator.Post.create({ ...post, skill_id: theirs.skill.id, skill_owner: theirs.id })).rejects.toMatchObject(foreign)
    await expect(operator.Post.create({ ...post, place_id: theirs.site.id })).rejects.toMatchObject(foreign)
    expect(await operator.Post.create({ ...post, skill_id: shared.id, skill_owner: 'SHARED' })).toMatchObject({ firm_id: ours.id })
  })

  test('leads an item to another tenant only with all that it refers to', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const { id } = ours.post
    await expect(operator.Post.update({ id }, { place_id: theirs.site.id })).rejects.toMatchObject(foreign)
    await expect(operator.Post.update({ id }, { skill_id: theirs.skill.id, skill_owner: theirs.id })).rejects.toMatchObject(foreign)
    expect(await operator.Post.get({ id })).toEqual(ours.post)
    const whole = { place_id: theirs.site.id, skill_id: theirs.skill.id, skill_owner: theirs.id }
    expect(await operator.Post.update({ id }, whole)).toMatchObject({ firm_id: theirs.id })
  })

  test('refers to what the same transaction makes as to what is there', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const skill = (firm_id: string, id: string) => creating(agency.entities.Skill, { id, firm_id, name: id })
    const post = (skill_owner: string, skill_id: string) =>
      creating(agency.entities.Post, { place_type: 'site', place_id: ours.site.id, skill_id, skill_owner })
    const [one, two] = ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW']
    await expect(operator.transact({ skill: skill(theirs.id, one), post: post(theirs.id, one) })).rejects.toMatchObject({
      details: { failures: { post: foreign } },
    })
    expect(await operator.transact({ skill: skill(ours.id, two), post: post(ours.id, two) })).toMatchObject({ post: { firm_id: ours.id } })
  })
})

describe('checks beside the steps of a tenant’s write', () => {
  test('are asked of the whole table, and hold the write as its own do', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const named = (name: string) => ({
      table: operator,
      checks: { firm: checking(Firm, { id: theirs.id }, { where: { name } }) },
    })
    const steps = { site: creating(Site, { firm_id: ours.id, name: 'Beside' }) }
    await expect(ours.table.transact(steps, { extraChecks: named('Other') })).rejects.toMatchObject({
      code: 'TransactionFailed',
      details: { failures: { firm: { code: 'CheckFailed' } } },
    })
    const { site } = await ours.table.transact(steps, { extraChecks: named('Theirs') })
    expect(site).toMatchObject({ name: 'Beside' })
    // A check among the steps does not get there.
    await expect(ours.table.transact({ ...steps, ...named('Theirs').checks })).rejects.toMatchObject({
      details: { failures: { firm: { code: 'NotFound' } } },
    })
  })

  test('fold into a step that writes the same item', async () => {
    const { operator, ours } = await twoFirms()
    const { firm_id, id } = ours.site
    const rename = (name: string, was: string) =>
      ours.table.transact(
        { site: updating(Site, { firm_id, id }, { name }) },
        { extraChecks: { table: operator, checks: { was: checking(Site, { firm_id, id }, { where: { name: was } }) } } },
      )
    await expect(rename('New', 'Old')).rejects.toMatchObject({ details: { failures: { was: { code: 'CheckFailed' } } } })
    expect((await rename('New', 'Site of Ours')).site).toMatchObject({ name: 'New' })
  })

  test('see no more than the steps in the same tenant scope, and are refused in the scope of another tenant', async () => {
    const { ours, theirs } = await twoFirms()
    const steps = { site: creating(Site, { firm_id: ours.id, name: 'x' }) }
    const checks = { firm: checking(Firm, { id: theirs.id }) }
    const notFound = { details: { failures: { firm: { code: 'NotFound' } } } }
    await expect(ours.table.transact(steps, { extraChecks: { table: ours.table, checks } })).rejects.toMatchObject(notFound)
    await expect(ours.table.transact(steps, { extraChecks: { table: theirs.table, checks } })).rejects.toMatchObject(denied)
  })

  test('are of the same table, have names of their own, and only check', async () => {
    const { operator, ours, theirs } = await twoFirms()
    const { operator: elsewhere } = await twoFirms()
    const steps = { site: creating(Site, { firm_id: ours.id, name: 'x' }) }
    const check = checking(Firm, { id: theirs.id })
    const withChecks = (table: typeof operator, checks: Readonly<Record<string, Step>>) =>
      ours.table.transact(steps, { extraChecks: { table, checks } })
    const refused = { code: 'InvalidInput', details: { issues: [{ path: ['extraChecks'] }] } }
    await expect(withChecks(elsewhere, { check })).rejects.toMatchObject(refused)
    await expect(withChecks(operator, { site: check })).rejects.toMatchObject(refused)
    await expect(withChecks(operator, { write: updating(Firm, { id: theirs.id }, { name: 'x' }) })).rejects.toMatchObject(refused)
    expect(await operator.Firm.get({ id: theirs.id })).toMatchObject({ name: 'Theirs' })
  })
})

test('a table in a tenant scope is the same table, and cannot be used for another tenant', async () => {
  const { operator, ours, theirs } = await twoFirms()
  const scoped = operator.forTenant(ours.id)
  expect(await scoped.Post.get({ id: ours.post.id })).toEqual(ours.post)
  expect(await scoped.Post.get({ id: theirs.post.id })).toBeUndefined()
  expect(await operator.Post.get({ id: theirs.post.id })).toEqual(theirs.post)
  expect(scoped.forTenant(ours.id).runtime.tenant).toBe(ours.id)
  expect(() => scoped.forTenant(theirs.id)).toThrow(expect.objectContaining({ code: 'Denied' }))
})

describe('a design with tenants is refused', () => {
  const Firm = entity('Firm', { attributes: { id: ulid(), name: text() }, key: ['FIRM#{id}', 'META'] })
  const Lamp = entity('Lamp', { attributes: { id: ulid() }, key: ['LAMP#{id}', 'META'] })
  const of = { Firm: 'id' }
  test.each([
    [
      'with an entity for operators that says whose it is',
      { Firm },
      { by: 'firm_id', of, operators: [Firm] },
      'Firm is for operators alone, and yet for tenants',
    ],
    [
      'with a guest of no tenant at all',
      { Firm, Lamp },
      { by: 'firm_id', of, guests: [Lamp] },
      'Lamp is a guest, and yet there for every tenant or of none',
    ],
    [
      'with an entity that does not say whose it is',
      { Firm, Lamp },
      { by: 'firm_id', of },
      "Lamp does not say whose it is: it has no 'firm_id'",
    ],
    [
      'that shares what it does not have',
      { Firm },
      { by: 'firm_id', of, shared: [Lamp] },
      'its tenants name Lamp, which is not among its entities',
    ],
    [
      'that names an access pattern that it does not have',
      { Firm },
      { by: 'firm_id', of, crossing: ['firms'] },
      "its tenants name the access pattern 'firms', which it does not have",
    ],
  ])('%s', (_what, entities, tenants, problem) => {
    expect(() => design({ name: 'firms', table: 'firms', entities, patterns: {}, tenants })).toThrow(`The design firms: ${problem}.`)
  })
})
