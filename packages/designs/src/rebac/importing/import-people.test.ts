import { readCsv } from '@freehold/frame/exchange'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownTable } from '../../../test/own-table.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { signIn } from '../flows/sign-in.ts'
import type { RebacTable } from '../rebac-table.ts'
import { importPeople } from './import-people.ts'
import { personColumns } from './person-row.ts'

const consistent = { consistent: true }
let table: RebacTable
beforeEach(async () => {
  table = await ownTable()
})

async function* text(content: string) {
  yield content
}
const imported = (...lines: string[]) => importPeople(table, readCsv(text(lines.join('\n')), personColumns))
const userOf = async (email: string) => {
  const identity = await table.userIdOfEmail({ email }, consistent)
  return identity === undefined ? undefined : table.user({ userId: identity.userId }, consistent)
}
const header = 'email,displayName,userType,location,locationName,group,groupType,role'

describe('importing people', () => {
  test('makes what a row names on the way from the person to the role', async () => {
    const report = await imported(
      header,
      'Ada@Example.org,Ada Lovelace,LEAD,ber001,Berlin,Teachers,TEACHER,teacher',
      'bo@example.org,,,BER001,,Teachers,,',
      'cy@example.org,,,,,,,',
    )
    expect(report).toMatchObject({ rows: 3, written: 3, failed: 0 })
    expect(await userOf('ada@example.org')).toMatchObject({ displayName: 'Ada Lovelace', userType: 'LEAD', isAdmin: false })
    expect(await userOf('bo@example.org')).toMatchObject({ displayName: 'bo', userType: 'MEMBER' })
    expect(await userOf('cy@example.org')).toBeDefined()
    expect((await table.locations({}, consistent)).items).toMatchObject([{ locationCode: 'BER001', name: 'Berlin' }])
    const [group] = (await table.groups({}, consistent)).items
    expect(await table.group({ groupId: group?.groupId ?? '' }, consistent)).toMatchObject({ name: 'Teachers', groupType: 'TEACHER' })
    expect(
      (await table.usersOfGroup({ groupId: group?.groupId ?? '' }, consistent)).items.map(({ userDisplayName }) => userDisplayName),
    ).toEqual(['Ada Lovelace', 'bo'])
    expect((await table.rolesOfGroup({ groupId: group?.groupId ?? '' }, consistent)).items).toMatchObject([{ roleName: 'teacher' }])
  })

  test('makes groups VOLUNTEER and users MEMBER unless columns say otherwise, and needs only the column email', async () => {
    await imported('email,location,group', 'ada@example.org,BER001,Helpers')
    expect(await userOf('ada@example.org')).toMatchObject({ userType: 'MEMBER', displayName: 'ada' })
    const [group] = (await table.groups({}, consistent)).items
    expect(await table.group({ groupId: group?.groupId ?? '' }, consistent)).toMatchObject({ groupType: 'VOLUNTEER' })
  })

  test('again changes nothing; a group is found by its name at its own location', async () => {
    const lines = [header, 'ada@example.org,,,BER001,,Helpers,,', 'ada@example.org,,,NYC001,,Helpers,,']
    await imported(...lines)
    const before = await wholeTable(table)
    expect(await imported(...lines)).toMatchObject({ written: 0, unchanged: 2, failed: 0 })
    expect(await wholeTable(table)).toEqual(before)
    expect((await table.groups({}, consistent)).items).toHaveLength(2)
  })

  test('only adds: who and what is there keeps its name', async () => {
    await signIn(table, { provider: 'google', subject: '1', email: 'ada@example.org', isEmailVerified: true, displayName: 'Ada' })
    await table.Location.create({ locationCode: 'BER001', name: 'Berlin' })
    await imported(header, 'ada@example.org,Another Name,LEAD,BER001,Another Place,Helpers,,')
    expect(await userOf('ada@example.org')).toMatchObject({ displayName: 'Ada', userType: 'MEMBER', version: 1 })
    expect((await table.locations({}, consistent)).items).toMatchObject([{ name: 'Berlin' }])
    expect(await table.userIdOfEmail({ email: 'ada@example.org' }, consistent)).toMatchObject({ provider: 'google' })
  })

  test('an imported person claims the address with the first verified sign-in', async () => {
    await imported(header, 'ada@example.org,Ada,,BER001,,,,')
    const { user, outcome } = await signIn(table, { provider: 'github', subject: '7', email: 'ADA@example.org', isEmailVerified: true })
    expect(outcome).toBe('claimed')
    expect(user.displayName).toBe('Ada')
    expect((await table.locationsOfUser({ userId: user.userId }, consistent)).items).toHaveLength(1)
  })

  test('reports each row that fails with its line, writes nothing of it, and carries on', async () => {
    const report = await imported(
      header,
      'no address,,,GHOST1,,,,',
      'a@example.org,,BOSS,GHOST2,,,,',
      'b@example.org,,,,,Group without place,,',
      'c@example.org,,,BER001,,,TEACHER,',
      'd@example.org,,,BER001,,,,role without group',
      'e@example.org,,,GHO\u0001ST,,,,',
      'f@example.org,too,few',
      'g@example.org,,,BER001,,,,',
    )
    expect(report.failures.map(({ line, error }) => [line, error.code]).sort(([a], [b]) => Number(a) - Number(b))).toEqual([
      [2, 'InvalidInput'],
      [3, 'InvalidInput'],
      [4, 'InvalidInput'],
      [5, 'InvalidInput'],
      [6, 'InvalidInput'],
      [7, 'InvalidKey'],
      [8, 'InvalidInput'],
    ])
    expect(report).toMatchObject({ rows: 8, written: 1 })
    expect(JSON.stringify(await wholeTable(table))).not.toMatch(/GHOST|[a-f]@example/)
  })

  test('a row is whole or not at all: what stands in the way of its last step undoes its first', async () => {
    await table.Location.create({ locationCode: 'BER001', name: 'Berlin' })
    await table.Role.create({ roleName: 'going' })
    await table.Role.remove({ roleName: 'going' }, { wait: false })
    const report = await imported(header, 'ada@example.org,,,BER001,,New group,,going', 'bo@example.org,,,BER001,,New group,,')
    expect(report).toMatchObject({ written: 1, failed: 1 })
    expect(report.failures).toMatchObject([{ line: 2, error: { code: 'BeingDeleted' } }])
    expect(await userOf('ada@example.org')).toBeUndefined()
    expect(await userOf('bo@example.org')).toBeDefined()
  })

  test('refuses a file with a column that it does not know, before anything is written', async () => {
    await expect(imported('email,colour', 'ada@example.org,red')).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await wholeTable(table)).toEqual([])
  })
})
