import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { agency } from '../../test/agency/design.ts'
import { prove } from '../analyse/prove.ts'
import { removing, updating } from '../plan/step.ts'
import { scanItems } from './scan.ts'

const nowhere = '01H00000000000000000000000'

async function ownAgency() {
  const table = await ownTableOf(agency)
  const firm = await table.Firm.create({ name: 'Acme' })
  const site = await table.Site.create({ firm_id: firm.id, name: 'North' })
  const skill = await table.Skill.create({ firm_id: firm.id, name: 'Welding' })
  const shared = await table.Skill.create({ name: 'Reading' })
  const skilled = { skill_id: skill.id, skill_owner: firm.id }
  return { table, firm, site, skill, shared, skilled, atFirm: { place_type: 'firm', place_id: firm.id, ...skilled } as const }
}

async function typesIn(runtime: Parameters<typeof scanItems>[0]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const page of scanItems(runtime)) for (const { Type } of page) counts[String(Type)] = (counts[String(Type)] ?? 0) + 1
  return counts
}

test('the design is proven', () => {
  expect(prove(agency).findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

describe('a reference that depends on an attribute', () => {
  test('leads to one entity or the other, and copies from it', async () => {
    const { table, firm, site, skilled, atFirm } = await ownAgency()
    const here = await table.Post.create(atFirm)
    expect(here).toMatchObject({ firm_id: firm.id, place_name: 'Acme' })
    const there = await table.Post.create({ place_type: 'site', place_id: site.id, ...skilled })
    expect(there).toMatchObject({ firm_id: firm.id, place_name: 'North' })
  })

  test('needs what it leads to: an id of the other kind is no place', async () => {
    const { table, firm, site, skilled } = await ownAgency()
    const missing = expect.objectContaining({ code: 'MissingEnd' })
    await expect(table.Post.create({ place_type: 'site', place_id: firm.id, ...skilled })).rejects.toEqual(missing)
    await expect(table.Post.create({ place_type: 'firm', place_id: site.id, ...skilled })).rejects.toEqual(missing)
    await expect(table.Post.create({ place_type: 'firm', place_id: nowhere, ...skilled })).rejects.toEqual(missing)
  })

  test('that changes is checked and copied anew, with the index key that holds the copy', async () => {
    const { table, atFirm } = await ownAgency()
    const other = await table.Firm.create({ name: 'Other' })
    const shared = await table.Skill.create({ name: 'Reading' })
    const yard = await table.Site.create({ firm_id: other.id, name: 'Yard' })
    const { id } = await table.Post.create({ ...atFirm, skill_id: shared.id, skill_owner: 'SHARED' })
    const moved = await table.Post.update({ id }, { place_type: 'site', place_id: yard.id })
    expect(moved).toMatchObject({ firm_id: other.id, place_name: 'Yard' })
    // The place of one kind is none of the other.
    await expect(table.Post.update({ id }, { place_type: 'firm' })).rejects.toMatchObject({ code: 'MissingEnd' })
    const { Items = [] } = await table.runtime.sender.send('Query', {
      TableName: table.runtime.table,
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :p',
      ExpressionAttributeValues: { ':p': { S: `FIRM#${other.id}` } },
      Limit: 10,
    })
    expect(Items).toHaveLength(1)
  })

  test('follows the name of its place alone', async () => {
    const { table, firm, site, skilled, atFirm } = await ownAgency()
    const here = await table.Post.create(atFirm)
    const there = await table.Post.create({ place_type: 'site', place_id: site.id, ...skilled })
    await table.Firm.update({ id: firm.id }, { name: 'Acme & Sons' })
    expect((await table.Post.get({ id: here.id }))?.place_name).toBe('Acme & Sons')
    expect((await table.Post.get({ id: there.id }))?.place_name).toBe('North')
    await table.Site.update({ firm_id: firm.id, id: site.id }, { name: 'South' })
    expect((await table.Post.get({ id: there.id }))?.place_name).toBe('South')
  })

  test('goes with its place: everything at the firm and at its sites, and nothing of another', async () => {
    const { table, firm, site, skilled, atFirm, shared } = await ownAgency()
    await table.Post.create(atFirm)
    await table.Post.create({ place_type: 'site', place_id: site.id, ...skilled })
    const other = await table.Firm.create({ name: 'Other' })
    const kept = await table.Post.create({ place_type: 'firm', place_id: other.id, skill_id: shared.id, skill_owner: 'SHARED' })
    await table.Firm.remove({ id: firm.id })
    expect(await table.Post.get({ id: kept.id })).toBeDefined()
    expect(await typesIn(table.runtime)).toEqual({ Firm: 1, Skill: 1, Post: 1, PlacePost: 1, SkillPost: 1 })
  })
})

describe('a reference with a value that stands for an absent part of the key', () => {
  test('leads to what lies without it', async () => {
    const { table, atFirm, shared, skill, firm } = await ownAgency()
    await table.Post.create({ ...atFirm, skill_id: shared.id, skill_owner: 'SHARED' })
    const missing = expect.objectContaining({ code: 'MissingEnd' })
    await expect(table.Post.create({ ...atFirm, skill_id: skill.id, skill_owner: 'SHARED' })).rejects.toEqual(missing)
    await expect(table.Post.create({ ...atFirm, skill_id: shared.id, skill_owner: firm.id })).rejects.toEqual(missing)
    await expect(table.Post.create({ ...atFirm, skill_owner: nowhere })).rejects.toEqual(missing)
  })

  test.each(['of a firm', 'shared'])('keeps what is %s from going while it is in use', async (whose) => {
    const { table, atFirm, skill, shared } = await ownAgency()
    const { firm_id, id } = whose === 'shared' ? { ...shared, firm_id: undefined } : skill
    const post = await table.Post.create({ ...atFirm, skill_id: id, skill_owner: firm_id ?? 'SHARED' })
    await expect(table.Skill.remove({ firm_id, id })).rejects.toMatchObject({ code: 'InUse' })
    await table.Post.remove({ id: post.id })
    await table.Skill.remove({ firm_id, id })
    expect(await table.Skill.get({ firm_id, id })).toBeUndefined()
  })
})

describe('a reference of an entity to itself', () => {
  test('needs an item of the same owner, and keeps it from going', async () => {
    const { table, firm, skill, shared } = await ownAgency()
    await expect(table.Skill.create({ name: 'x', parent_id: skill.id })).rejects.toMatchObject({ code: 'MissingEnd' })
    const part = await table.Skill.create({ firm_id: firm.id, name: 'Seams', parent_id: skill.id })
    const sharedPart = await table.Skill.create({ name: 'Letters', parent_id: shared.id })
    await expect(table.Skill.remove({ firm_id: firm.id, id: skill.id })).rejects.toMatchObject({ code: 'InUse' })
    await expect(table.Skill.remove({ id: shared.id })).rejects.toMatchObject({ code: 'InUse' })
    await table.Skill.update({ firm_id: firm.id, id: part.id }, { parent_id: null })
    await table.Skill.remove({ firm_id: firm.id, id: skill.id })
    await table.Skill.remove({ id: sharedPart.id })
    await table.Skill.remove({ id: shared.id })
    expect(await typesIn(table.runtime)).toEqual({ Firm: 1, Site: 1, SitePlace: 1, Skill: 1 })
  })
})

describe('what is in use goes with its uses where that is asked for', () => {
  test('and with what would keep those', async () => {
    const { table, firm, skill, atFirm, shared } = await ownAgency()
    await table.Post.create(atFirm)
    const kept = await table.Post.create({ ...atFirm, skill_id: shared.id, skill_owner: 'SHARED' })
    const part = await table.Skill.create({ firm_id: firm.id, name: 'Seams', parent_id: skill.id })
    await table.Post.create({ ...atFirm, skill_id: part.id })
    const id = { firm_id: firm.id, id: skill.id }
    await expect(table.Skill.remove(id)).rejects.toMatchObject({ code: 'InUse' })
    await table.Skill.remove(id, { inUse: 'cascade' })
    expect(await table.Post.get({ id: kept.id })).toBeDefined()
    expect(await typesIn(table.runtime)).toEqual({ Firm: 1, Site: 1, SitePlace: 1, Skill: 1, Post: 1, PlacePost: 1, SkillPost: 1 })
  })

  test('also in a circle', async () => {
    const { table, firm, skill } = await ownAgency()
    const id = { firm_id: firm.id, id: skill.id }
    const part = await table.Skill.create({ firm_id: firm.id, name: 'Seams', parent_id: skill.id })
    await table.Skill.update(id, { parent_id: part.id })
    const own = await table.Skill.create({ firm_id: firm.id, name: 'Hems', parent_id: part.id })
    await table.Skill.update({ firm_id: firm.id, id: own.id }, { parent_id: own.id })
    await table.Skill.remove(id, { inUse: 'cascade' })
    await table.Skill.remove({ firm_id: firm.id, id: own.id }, { inUse: 'cascade' })
    expect(await typesIn(table.runtime)).toEqual({ Firm: 1, Site: 1, SitePlace: 1, Skill: 1 })
  })

  test('in a transaction with other steps, and by the program that resumes the job', async () => {
    const { table, skill, firm, atFirm } = await ownAgency()
    await table.Post.create(atFirm)
    const id = { firm_id: firm.id, id: skill.id }
    await table.transact(
      {
        skill: removing(agency.entities.Skill, id, { inUse: 'cascade' }),
        firm: updating(agency.entities.Firm, { id: firm.id }, { name: 'B' }),
      },
      { wait: false },
    )
    expect((await table.jobs.list()).map(({ kind, inUse }) => [kind, inUse])).toContainEqual(['remove', 'cascade'])
    expect((await table.jobs.resume()).failed).toEqual([])
    expect(await table.Skill.get(id)).toBeUndefined()
    expect((await typesIn(table.runtime)).Post).toBeUndefined()
  })

  test('and not where anything else is asked for', async () => {
    const { table, skill, firm } = await ownAgency()
    const how = { inUse: 'yes' } as never
    await expect(table.Skill.remove({ firm_id: firm.id, id: skill.id }, how)).rejects.toMatchObject({ code: 'InvalidInput' })
  })
})

describe('an end of an edge that refuses to go', () => {
  test('stays, usable, while there are edges; the other end takes them with it', async () => {
    const { table, firm, skill, shared } = await ownAgency()
    const tool = await table.Tool.create({ name: 'Torch' })
    await table.SkillTool.create({ skill_id: skill.id, firm_id: firm.id, tool_id: tool.id })
    await table.SkillTool.create({ skill_id: shared.id, tool_id: tool.id })
    await expect(table.Tool.remove({ id: tool.id })).rejects.toMatchObject({ code: 'InUse' })
    expect((await table.Tool.update({ id: tool.id }, { name: 'Lamp' })).name).toBe('Lamp')
    await table.Skill.remove({ firm_id: firm.id, id: skill.id })
    await table.Skill.remove({ id: shared.id })
    await table.Tool.remove({ id: tool.id })
    expect(await typesIn(table.runtime)).toEqual({ Firm: 1, Site: 1, SitePlace: 1 })
  })
})
