import { authorizationModule } from '@freehold/designs/authorization'
import { describeModule, moduleCosts } from '@freehold/frame'
import { expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'

test('docs prints the page of a design and nothing else, without a database', async () => {
  const { exit, out, err } = await freehold(['docs', 'authorization'], { env: {} })
  expect({ exit, err }).toEqual({ exit: 0, err: '' })
  expect(out).toBe(describeModule(authorizationModule, await moduleCosts(authorizationModule)))
})

test('docs of an unknown design says what there is, on stderr', async () => {
  const { exit, out, err } = await freehold(['docs', 'reback'], { env: {} })
  expect({ exit, out }).toEqual({ exit: 2, out: '' })
  expect(err).toMatch(/Did you mean rebac\?/)
})

test('docs leaves out the features that the deployer leaves out', async () => {
  const { out } = await freehold(['docs', 'account-management'], { env: { FREEHOLD_WITHOUT: 'account-management:devices' } })
  expect(out).toContain('### Building\n')
  expect(out).not.toMatch(/\bDevice\b/)
})
