import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { freehold, oneWithoutFlows } from '../../test/recorded-shell.ts'

describe('flows', () => {
  const designs = [...designModules.values()].map(({ design, flows }) => ({ name: design.name, described: flows?.describe(design) ?? [] }))

  test.each(designs)('of $name are listed with what they take and who may', async ({ name, described }) => {
    const { exit, out, err } = await freehold(['flows', name, '--json'], { env: {} })
    expect({ exit, err }).toEqual({ exit: 0, err: '' })
    expect(JSON.parse(out)).toEqual(described)
  })

  test('are a table for a person, a line each: what may be left out stands in brackets', async () => {
    const { out } = await freehold(['flows', 'account-management'], { env: {} })
    expect(out).toMatch(/^flow +what it does +input +needs\n─+ /)
    expect(out).toMatch(/^moveUser +Moves a user .*\. +id client_id \[version\] +operator$/m)
    expect(out).toMatch(/^exportClient .* id \[limit\] \[cursor\] +account-management export client, at the client$/m)
    expect(out).toMatch(/^lockSetting .* +account-management lock setting, at the scope given$/m)
  })

  test('as JSON name the values that an input may have', async () => {
    const { out } = await freehold(['flows', 'account-management', '--json'], { env: {} })
    const listed: { name: string; input: unknown[] }[] = JSON.parse(out)
    expect(listed.find(({ name }) => name === 'createBuilding')).toMatchObject({
      needs: { module: 'account-management', action: 'create', resource: 'building', at: 'project' },
      input: expect.arrayContaining([
        { name: 'project_id', kind: 'uuid', required: true },
        { name: 'status', kind: 'enum', required: false, values: ['active', 'inactive'], otherwise: 'active' },
      ]),
    })
  })

  test('one by one tell what each input holds, its values, and what it is if left out', async () => {
    const { exit, out } = await freehold(['flows', 'account-management', 'createRole'], { env: {} })
    expect(exit).toBe(0)
    expect(out).toMatch(
      /^createRole: .*\nNeeds: account-management create role, at the client\nErrors: NotFound, BeingDeleted, .*; of any flow: InvalidInput, .*\n\ninput +holds +if left out\n/,
    )
    expect(out).toMatch(/^name +text without look-alikes +required$/m)
    expect(out).toMatch(/^permission_form +embedded, linked/m)
    const json = await freehold(['flows', 'account-management', 'createRole', '--json'], { env: {} })
    expect(JSON.parse(json.out)).toEqual(designs[0]?.described.find(({ name }) => name === 'createRole'))
    expect(await freehold(['flows', 'account-management', 'createRoel'], { env: {} })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('Did you mean createRole?'),
    })
  })

  test('one by one are no wider than the terminal, and break between words', async () => {
    const { out } = await freehold(['flows', 'account-management', 'sweep'], { env: {}, columns: 60 })
    const head = out.split('\n\n')[0] ?? ''
    expect(Math.max(...head.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
    const whole = await freehold(['flows', 'account-management', 'sweep'], { env: {} })
    expect(head.replaceAll('\n', ' ')).toBe(whole.out.split('\n\n')[0]?.replaceAll('\n', ' '))
  })

  test('say where a user needs nothing for what is its own', async () => {
    const { out } = await freehold(['flows', 'account-management', 'listSessions'], { env: {} })
    expect(out).toContain('nothing for one’s own data')
  })

  test('where a design has none, that is said', async () => {
    expect(await freehold(['flows', 'authorization'], { env: {}, designs: oneWithoutFlows })).toEqual({
      exit: 0,
      out: '',
      err: 'authorization has no flows. These designs do: account-management, platform and rebac.\n',
    })
  })

  test('of a design that is not there: malformed', async () => {
    expect(await freehold(['flows', 'rebak'], { env: {} })).toMatchObject({ exit: 2, err: expect.stringContaining('Did you mean rebac?') })
  })
})
