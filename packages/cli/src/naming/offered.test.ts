import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'
import { settledBy } from '../../test/settled.ts'
import type { Environment } from '../environment.ts'
import { offered } from './offered.ts'

const shellOf = (env: Environment) => ({ settings: settledBy(env), designs: designModules })

const leaving = (FREEHOLD_WITHOUT: string) => ({ env: { FREEHOLD_WITHOUT, DYNAMODB_ENDPOINT: endpoint }, designs: designModules })
const namesOf = (text: string, design: string) =>
  Object.keys(offered(shellOf({ FREEHOLD_WITHOUT: text })).get(design)?.design.entities ?? {})

describe('FREEHOLD_WITHOUT', () => {
  test('leaves the designs as they are where it says nothing', () => {
    expect(offered(shellOf({}))).toBe(designModules)
    expect(offered(shellOf({ FREEHOLD_WITHOUT: ' ' }))).toBe(designModules)
  })

  test('takes features of a design away, and nothing from the others', () => {
    const env = { FREEHOLD_WITHOUT: 'account-management:devices,audit  account-management:tokens' }
    const shell = shellOf(env)
    const left = offered(shell)
    const names = Object.keys(left.get('account-management')?.design.entities ?? {})
    for (const gone of ['Device', 'Zone', 'AuditLog', 'AuthToken']) expect(names).not.toContain(gone)
    for (const kept of ['Client', 'Building', 'LoginSession']) expect(names).toContain(kept)
    for (const name of ['authorization', 'platform', 'rebac']) expect(left.get(name)).toBe(designModules.get(name))
    expect([...left.keys()]).toEqual([...designModules.keys()])
    expect(offered(shell)).toBe(left)
  })

  test('leaves the table as it is: the same indexes, whatever is left out', () => {
    for (const { design } of designModules.values()) {
      const features = Object.keys(design.features)
      for (const left of [...features.map((feature) => [feature]), ...(features.length === 0 ? [] : [features])]) {
        const reduced = offered(shellOf({ FREEHOLD_WITHOUT: `${design.name}:${left.join(',')}` })).get(design.name)?.design
        expect([left, reduced?.form.indexes]).toEqual([left, design.form.indexes])
      }
    }
  })

  test('holds for commands about a design and for those about items', async () => {
    const without = leaving('account-management:devices')
    expect(namesOf('account-management:devices', 'account-management')).not.toContain('Device')
    const listed = await freehold(['designs', '--json'], without)
    const named: { readonly name: string; readonly features: readonly string[] }[] = JSON.parse(listed.out)
    expect(named.find(({ name }) => name === 'account-management')?.features).toEqual(['audit', 'tokens', 'sessions', 'identities'])
    expect(await freehold(['prove', 'account-management'], without)).toMatchObject({ exit: 0 })
    const device = ['get', 'account-management', 'Device', '{}', '--table', freshTable()]
    expect(await freehold(device, without)).toEqual({
      exit: 2,
      out: '',
      err: expect.stringContaining("There is no entity of account-management named 'Device'."),
    })
    expect(await freehold(device)).toMatchObject({ exit: 2, err: expect.stringContaining('Device: ') })
    const query = ['query', 'account-management', 'devicesOfBuilding', '{}', '--table', freshTable()]
    expect(await freehold(query, without)).toMatchObject({ exit: 2, err: expect.stringContaining("named 'devicesOfBuilding'") })
  })

  test.each([
    ['devices', "FREEHOLD_WITHOUT has 'devices': write DESIGN:FEATURE,FEATURE, with a space before the next design.", 'InvalidInput'],
    ['account-management:', "FREEHOLD_WITHOUT has 'account-management:': write DESIGN:FEATURE", 'InvalidInput'],
    ['account-management:devices,', "FREEHOLD_WITHOUT has 'account-management:devices,': write", 'InvalidInput'],
    ['account-management:audit,rebac:x', 'write DESIGN:FEATURE', 'InvalidInput'],
    ['acount-management:devices', "in FREEHOLD_WITHOUT named 'acount-management'. Did you mean account-management?", 'UnknownName'],
    [
      'account-management:device',
      "There is no feature of account-management in FREEHOLD_WITHOUT named 'device'. Did you mean",
      'UnknownName',
    ],
    ['account-management:all', 'There is devices, audit, tokens, sessions, identities.', 'UnknownName'],
    ['rebac:audit', "There is no feature of rebac in FREEHOLD_WITHOUT named 'audit'. There is changes.", 'UnknownName'],
  ])('that says %j is refused by every command, whatever design it is about', async (text, sentence, code) => {
    for (const argv of [['designs'], ['patterns', 'rebac'], ['serve', '--port', '0']]) {
      const { exit, out, err } = await freehold(argv, leaving(text))
      expect({ exit, out, err }).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
      expect(err).toContain(`(${code})`)
    }
  })
})
