import { describe, expect, test } from 'vitest'
import { accountWork, changesOf } from '../../../../test/account-flows.ts'

let count = 0
const name = () => `Role ${++count}`
const make = (more: object = {}, client_id = ours) => work.flows.createRole({ client_id, name: name(), ...more })
const reload = (id: string) => work.table.Role.get({ client_id: ours, id }, { consistent: true })
const auditOf = async (id: string) => (await work.audit(ours)).filter(({ entity_id }) => entity_id === id)

const work = await accountWork()
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id

describe('a hierarchy', () => {
  const chain = async (length: number, root?: string) => {
    const ids: string[] = []
    for (let parent = root; ids.length < length; parent = ids.at(-1))
      ids.push((await make(parent === undefined ? {} : { parent_role_id: parent })).id)
    return ids
  }
  const setParent = (id: string, parent_role_id: string | null) => work.flows.setParentRole({ id, client_id: ours, parent_role_id })

  test('has no cycle, at any distance', async () => {
    const [top = '', middle = '', bottom = ''] = await chain(3)
    for (const under of [top, middle, bottom]) await expect(setParent(top, under)).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await setParent(bottom, null)).not.toHaveProperty('parent_role_id')
    expect(await setParent(top, bottom)).toMatchObject({ parent_role_id: bottom })
    expect(changesOf((await auditOf(top)).at(-1))).toEqual({ parent_role_id: { after: bottom } })
  })

  test('has at most eight roles above one another, counted with all beneath', async () => {
    const eight = await chain(8)
    await expect(make({ parent_role_id: eight[7] })).rejects.toMatchObject({ code: 'InvalidInput' })
    const [upper, lower] = [await chain(4), await chain(5)]
    await expect(setParent(lower[0] ?? '', upper[3] ?? '')).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(setParent(lower[0] ?? '', upper[2] ?? '')).resolves.toBeDefined()
  })

  test('is listed by what is above each role, which moves with it', async () => {
    const parents = async () => {
      const listed = await work.table.roleParents({ client_id: ours }, { consistent: true, limit: 1000 })
      return new Map(listed.items.map(({ id, parent_role_id }) => [id, parent_role_id]))
    }
    const [a = '', b = ''] = await chain(2)
    const [c = '', d = ''] = await chain(2)
    expect([...(await parents())].filter(([id]) => [a, b, c, d].includes(id))).toEqual(
      expect.arrayContaining([
        [b, a],
        [d, c],
      ]),
    )
    await setParent(c, b)
    expect((await parents()).get(c)).toBe(b)
    await setParent(c, a)
    expect((await parents()).get(c)).toBe(a)
    await setParent(c, null)
    expect((await parents()).has(c)).toBe(false)
    expect((await parents()).get(d)).toBe(c)
  })

  test('is of one client: neither another’s nor a system role is a parent', async () => {
    const { id: foreign } = await make({}, theirs)
    const { id: system } = await work.flows.createRole({ system: true, name: name() })
    const { id } = await make()
    for (const parent_role_id of [foreign, system]) {
      await expect(setParent(id, parent_role_id)).rejects.toMatchObject({ code: 'NotFound' })
      await expect(make({ parent_role_id })).rejects.toMatchObject({ code: 'NotFound' })
    }
  })

  test('has no cycle where several make one at once', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [(await make()).id, (await make()).id, (await make()).id]
      const all = await Promise.allSettled(ids.map((id, index) => setParent(id, ids[(index + 1) % 3] ?? '')))
      expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      const roots = await Promise.all(ids.map((id) => reload(id)))
      expect(roots.filter((role) => role?.parent_role_id === undefined)).toHaveLength(1)
    }
  })

  test('is not deeper than eight where one grows at the top and at the bottom at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [upper, lower] = [await chain(4), await chain(4)]
      const all = await Promise.allSettled([
        setParent(lower[0] ?? '', upper[3] ?? ''),
        make({ parent_role_id: lower[3] }),
        make({ parent_role_id: lower[3] }),
      ])
      const depth = async (id: string | undefined): Promise<number> =>
        id === undefined ? 0 : 1 + (await depth((await reload(id))?.parent_role_id))
      const made = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []))
      for (const id of [...made, ...lower]) expect(await depth(id)).toBeLessThanOrEqual(8)
      expect(made.length).toBeGreaterThan(0)
    }
  })
})
