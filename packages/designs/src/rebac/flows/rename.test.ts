import { describe, expect, test } from 'vitest'
import { dyingSender } from '../../../test/dying-sender.ts'
import { rebacWork } from '../../../test/rebac-flows.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { decideRebac } from '../decide.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const lease_ms = 5000
let count = 0
const work = await rebacWork({ now: clock, sleep: async () => {} })
const here = (await work.flows.createLocation({ locationCode: 'HERE', name: 'Here' })).locationId
const user = (await work.flows.createUser({ displayName: 'Ada' })).userId

const at = (page: string) => ({ user, location: here, page })
const may = async (page: string) => (await decideRebac(work.table.runtime).can(at(page), { consistency: 'strong' })).allowed
/** Types of the items that mention a name, besides the records of changes. */
const left = async (name: string) =>
  (await wholeTable(work.table))
    .filter((item) => !/Change$/.test(String(item.Type)) && JSON.stringify(item).includes(`"${name}"`))
    .map(({ Type }) => Type)

/** A role that allows one page, denies another and is had by two groups of the user. */
async function prepare() {
  const n = `n${++count}-`
  const [from, to, open, shut] = [`${n}from`, `${n}to`, `${n}open`, `${n}shut`]
  await work.flows.createRole({ roleName: from, description: 'the role' })
  for (const pageName of [open, shut]) await work.flows.createPage({ pageName })
  await work.flows.setPermission({ roleName: from, pageName: open, permission: 'ALLOW' })
  await work.flows.setPermission({ roleName: from, pageName: shut, permission: 'DENY' })
  const groups: string[] = []
  for (let index = 0; index < 2; index++) {
    const { groupId } = await work.flows.createGroup({ locationId: here, name: `${n}group` })
    await work.flows.giveRole({ groupId, roleName: from })
    await work.flows.joinGroup({ userId: user, groupId })
    groups.push(groupId)
  }
  work.lines()
  return { from, to, open, shut, groups }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

async function checkRenamed({ from, to, open, shut, groups }: Prepared) {
  expect(await left(from)).toEqual([])
  const pages = (await work.table.permissionsOfRole({ roleName: to }, { consistent: true })).items
  expect(pages.map(({ pageName, permission }) => [pageName, permission])).toEqual([
    [open, 'ALLOW'],
    [shut, 'DENY'],
  ])
  expect((await work.table.groupsOfRole({ roleName: to }, { consistent: true })).items.map(({ groupId }) => groupId)).toEqual(
    [...groups].sort(),
  )
  expect((await work.table.role({ roleName: to }, { consistent: true }))?.renaming).toBeUndefined()
  expect([await may(open), await may(shut)]).toEqual([true, false])
}

/** The job that a process left is done by another, and nothing is left of it. */
async function resume() {
  now += lease_ms
  expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
  expect(await work.table.jobs.list()).toEqual([])
}

describe('a role', () => {
  test('is renamed with its pages and its groups, which have all of it all the while', async () => {
    const made = await prepare()
    const { from, to, open } = made
    const [before] = (await work.table.groupsOfRole({ roleName: from }, { consistent: true })).items
    const seen: boolean[] = []
    const watch = async () => {
      seen.push(await may(open))
      work.meanwhile = watch
    }
    work.meanwhile = watch
    await work.flows.renameRole({ roleName: from, to })
    work.meanwhile = undefined
    expect(seen.length).toBeGreaterThan(5)
    expect(seen).not.toContain(false)
    await checkRenamed(made)
    expect(await work.table.role({ roleName: to })).toMatchObject({ description: 'the role' })
    const [after] = (await work.table.groupsOfRole({ roleName: to }, { consistent: true })).items
    expect(after).toMatchObject({ groupId: before?.groupId, assignedAt: before?.assignedAt })
    expect(work.lines()).toMatchObject([
      { flow: 'renameRole', id: to, changes: { roleName: { before: from, after: to } } },
      { flow: 'renameRole', id: from, more: { renamed_to: to } },
    ])
    await work.flows.updateRole({ roleName: to, description: 'changed' })
    await work.flows.createRole({ roleName: from })
  })

  test('that nobody waits for is renamed by whoever resumes jobs', async () => {
    const made = await prepare()
    await work.flows.renameRole({ roleName: made.from, to: made.to, wait: false })
    expect(await work.table.role({ roleName: made.to }, { consistent: true })).toBeUndefined()
    await resume()
    await checkRenamed(made)
  })

  test('is renamed whole wherever its worker ends, and not begun again where it has ended', async () => {
    for (let writes = 0, isDead = true; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const made = await prepare()
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await rebacWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
      await doomed.flows.renameRole({ roleName: made.from, to: made.to }).catch(() => {})
      isDead = dying.isDead()
      // Where the old name is free already, it is somebody else's from now on.
      const isTaken = await work.table.Role.create({ roleName: made.from, description: 'another' }).then(
        () => true,
        () => false,
      )
      await resume()
      if (isTaken) {
        expect(await work.table.role({ roleName: made.from }, { consistent: true })).toMatchObject({ description: 'another' })
        await work.flows.deleteRole({ roleName: made.from })
      }
      // The first write records the job: without it nothing was begun.
      if (writes === 0) expect(await left(made.to)).toEqual([])
      else await checkRenamed(made)
    }
  })

  test.each([
    [
      'a page that is taken from it',
      ({ from, open }: Prepared) => work.table.RolePagePermission.remove({ roleName: from, pageName: open }),
      true,
    ],
    [
      'a page that it denies',
      ({ from, open }: Prepared) => work.table.RolePagePermission.update({ roleName: from, pageName: open }, { permission: 'DENY' }),
      true,
    ],
    [
      'the groups that it is taken from',
      ({ from, groups }: Prepared) => Promise.all(groups.map((groupId) => work.table.GroupRole.remove({ groupId, roleName: from }))),
      true,
    ],
    ['a page that is deleted', ({ open }: Prepared) => work.flows.deletePage({ pageName: open }), false],
    ['groups that are deleted', ({ groups }: Prepared) => Promise.all(groups.map((groupId) => work.flows.deleteGroup({ groupId }))), false],
    ['the role that is deleted', ({ from }: Prepared) => work.table.Role.remove({ roleName: from }), true],
  ])('does not get back %s by other means, at any moment', async (_, revoke, mayFail) => {
    let isLate = false
    for (let writes = 1; !isLate; writes++) {
      expect(writes).toBeLessThan(40)
      const made = await prepare()
      let isRevoked = false
      let hasFailed = false
      let sent = 0
      const hook = async () => {
        work.meanwhile = hook
        if (++sent !== writes) return
        work.meanwhile = undefined
        await revoke(made).then(
          () => {
            isRevoked = true
          },
          () => {
            hasFailed = true
          },
        )
      }
      work.meanwhile = hook
      await work.flows.renameRole({ roleName: made.from, to: made.to }).catch(() => {})
      work.meanwhile = undefined
      isLate = !isRevoked && !hasFailed
      if (!mayFail) expect(hasFailed).toBe(false)
      expect(await work.table.jobs.list()).toEqual([])
      if (isRevoked) expect([writes, await may(made.open)]).toEqual([writes, false])
      expect(await left(made.from)).toEqual([])
      expect((await work.table.role({ roleName: made.to }, { consistent: true }))?.renaming).toBeUndefined()
    }
  })

  test('that goes while its worker is gone takes the new name along, and another of the old name is not renamed', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const { from, to, open } = await prepare()
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await rebacWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
      await doomed.flows.renameRole({ roleName: from, to }).catch(() => {})
      isDead = dying.isDead()
      const live = async (roleName: string) => {
        const role = await work.table.role({ roleName }, { consistent: true })
        return role?.deleting === undefined ? role : undefined
      }
      const isRenamed = (await live(from)) === undefined
      await work.table.Role.remove({ roleName: isRenamed ? to : from })
      if ((await work.table.role({ roleName: from }, { consistent: true })) === undefined)
        await work.table.Role.create({ roleName: from, description: 'another' })
      await resume()
      expect([writes, await left(to), await may(open)]).toEqual([writes, [], false])
      const there = await live(from)
      expect([undefined, 'another']).toContain(there?.description)
    }
  })

  test('that goes meanwhile is not said to be renamed, and each group that lost the new name is recorded', async () => {
    let lost = 0
    for (let writes = 1, isGone: boolean | undefined = true; isGone !== undefined; writes++) {
      expect(writes).toBeLessThan(40)
      const { from, to } = await prepare()
      let sent = 0
      let moved: string[] = []
      isGone = undefined
      const hook = async () => {
        work.meanwhile = hook
        if (++sent !== writes) return
        work.meanwhile = undefined
        moved = (await work.table.groupsOfRole({ roleName: to }, { consistent: true })).items.map(({ groupId }) => groupId)
        isGone = await work.table.Role.remove({ roleName: from }).then(
          () => true,
          () => false,
        )
      }
      work.meanwhile = hook
      const told = await work.flows.renameRole({ roleName: from, to }).then(
        () => 'renamed',
        ({ details }) => details.reason,
      )
      work.meanwhile = undefined
      const isThere = (await work.table.role({ roleName: to }, { consistent: true })) !== undefined
      expect([writes, told]).toEqual([writes, isThere ? 'renamed' : 'NotRenamed'])
      const { items } = await work.table.changesOfActor({ actor: 'operator test' }, { consistent: true, limit: 100 })
      const records = items.filter(
        ({ flow, entity, related }) => flow === 'renameRole' && entity === 'GroupRole' && related?.roleName === to,
      )
      if (!isThere) expect(records.map(({ related }) => related?.groupId).sort()).toEqual(moved.sort())
      lost += records.length
    }
    expect(lost).toBeGreaterThan(1)
  })

  test('is changed by no flow while it is renamed, under neither name', async () => {
    const { from, to, open, groups } = await prepare()
    const { groupId } = await work.flows.createGroup({ locationId: here, name: 'other' })
    const refusals: unknown[] = []
    const tryAll = async () => {
      const refused = await Promise.allSettled(
        [from, to].flatMap((roleName) => [
          work.flows.setPermission({ roleName, pageName: open, permission: 'DENY' }),
          work.flows.giveRole({ groupId, roleName }),
          work.flows.updateRole({ roleName, description: 'x' }),
          work.flows.deleteRole({ roleName }),
          work.flows.renameRole({ roleName, to: 'third' }),
        ]),
      )
      refusals.push(...refused.map((each) => (each.status === 'rejected' ? each.reason.details.reason : 'done')))
      refusals.push(await work.flows.takeRole({ groupId: groups[1] ?? '', roleName: from }).catch((error) => error.details.reason))
    }
    // The third transaction follows the mark.
    work.meanwhile = async () => {
      work.meanwhile = async () => {
        work.meanwhile = tryAll
      }
    }
    await work.flows.renameRole({ roleName: from, to })
    expect(refusals).toEqual(Array.from({ length: 11 }, () => 'BeingRenamed'))
  })

  test('takes no name that another has, and no name of none', async () => {
    const { from, to } = await prepare()
    await work.flows.createRole({ roleName: to })
    await expect(work.flows.renameRole({ roleName: from, to })).rejects.toMatchObject({ code: 'AlreadyExists' })
    await expect(work.flows.renameRole({ roleName: 'nobody', to: 'x' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.renameRole({ roleName: from, to: '' })).rejects.toMatchObject({ code: 'InvalidKey' })
    await work.flows.renameRole({ roleName: from, to: from })
    await work.flows.updateRole({ roleName: from, description: 'free' })
    // Another takes the name once the job has begun.
    const late = await prepare()
    work.meanwhile = async () => {
      work.meanwhile = async () => {
        await work.table.Role.create({ roleName: late.to })
      }
    }
    await expect(work.flows.renameRole({ roleName: late.from, to: late.to })).rejects.toMatchObject({ code: 'AlreadyExists' })
    await work.flows.updateRole({ roleName: late.from, description: 'free' })
  })
})

describe('a page', () => {
  test('tells its old name and its new one', async () => {
    const { to, open } = await prepare()
    await work.flows.renamePage({ pageName: open, to })
    expect(work.lines()).toMatchObject([
      { flow: 'renamePage', entity: 'Page', id: to, changes: { pageName: { before: open, after: to } } },
      { flow: 'renamePage', entity: 'Page', id: open, more: { renamed_to: to } },
    ])
  })

  test('is renamed with what roles say of it, wherever its worker ends', async () => {
    for (let writes = 1, isDead = true; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const { from: roleName, to, open } = await prepare()
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await rebacWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
      await doomed.flows.renamePage({ pageName: open, to }).catch(() => {})
      isDead = dying.isDead()
      await resume()
      expect([writes, await left(open), await may(to)]).toEqual([writes, [], true])
      expect(await work.table.permission({ roleName, pageName: to }, { consistent: true })).toMatchObject({ permission: 'ALLOW' })
    }
  })

  test('does not come back to a role that lost it meanwhile', async () => {
    for (let writes = 1, isLate = false; !isLate; writes++) {
      expect(writes).toBeLessThan(40)
      const { from: roleName, to, open } = await prepare()
      let sent = 0
      let isRevoked: boolean | undefined
      const hook = async () => {
        work.meanwhile = hook
        if (++sent !== writes) return
        work.meanwhile = undefined
        isRevoked = await work.table.RolePagePermission.remove({ roleName, pageName: open }).then(
          () => true,
          () => false,
        )
      }
      work.meanwhile = hook
      await work.flows.renamePage({ pageName: open, to })
      work.meanwhile = undefined
      isLate = isRevoked === undefined
      expect([writes, await left(open), await may(to)]).toEqual([writes, [], isRevoked !== true])
    }
  })
})
