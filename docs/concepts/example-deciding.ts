import { decideRebac, importPeople, joinGroup, leaveLocation, type RebacTable, signIn } from '@freehold/designs/rebac'
import { readCsv } from '@freehold/frame/exchange'

const people = `email,location,locationName,group,role
ada@example.org,NYC001,New York,Teachers,teacher
ben@example.org,NYC001,,Helpers,
`

async function* file() {
  yield people
}

/** The code of decisions.md and of the reference of rebac. A test runs it. */
export async function deciding(table: RebacTable) {
  const report = await importPeople(table, readCsv(file()))
  await table.Page.create({ pageName: 'dashboard' })
  await table.RolePagePermission.create({ roleName: 'teacher', pageName: 'dashboard', permission: 'ALLOW' })

  const decider = decideRebac(table.runtime, { maxStalenessMs: 2_000 })
  const question = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
  const { allowed } = await decider.can(question)
  const { chains } = await decider.why(question, { consistency: 'strong' })
  const open = await decider.what({ user: 'ada@example.org', location: 'NYC001' }, { limit: 50 })

  const { user, outcome } = await signIn(table, {
    provider: 'google',
    subject: '110248495921238986420',
    email: 'ben@example.org',
    isEmailVerified: true,
  })

  const { items: groups } = await table.groups({})
  const teachers = groups.find(({ name }) => name === 'Teachers')
  if (teachers !== undefined) await joinGroup(table, { userId: user.userId, groupId: teachers.groupId })
  const joined = await decider.can({ ...question, user: user.userId })

  await leaveLocation(table, { userId: user.userId, locationId: teachers?.locationId ?? '' })
  const left = await decider.can({ ...question, user: user.userId })

  return { report, allowed, chains, open, outcome, joined, left }
}
