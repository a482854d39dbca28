import { designModules } from '@freehold/designs'
import { rebacModule } from '@freehold/designs/rebac'
import type { FolderModule } from '@freehold/frame'
import { FreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { sampleTable } from '../../test/organisation.ts'
import { folder, freehold } from '../../test/recorded-shell.ts'

const { decider, ...silent } = rebacModule

/** A program's own module: it answers if its rules say so. */
const ruled: FolderModule = {
  ...silent,
  folder: {
    name: 'rules',
    holds: 'the rules of this program',
    takes: (file) => file === 'rules.txt',
    open: async (files) => {
      if (files.get('rules.txt') !== 'yes\n') throw new FreeholdError('InvalidInput', 'The rules do not say yes.', { issues: [] })
      return { module: { ...silent, ...(decider === undefined ? {} : { decider }) }, replace: async () => {} }
    },
  },
}
const designs = new Map([...designModules, ['rebac', ruled] as const])
const question = JSON.stringify({ user: 'ada@example.org', location: 'NYC001', page: 'dashboard' })

test("a program's own module has an option and a variable for its folder, too", async () => {
  const table = await sampleTable()
  const can = (more: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    freehold(['can', 'rebac', question, '--table', table, ...more], { designs, env: { DYNAMODB_ENDPOINT: endpoint, ...env } })
  const rules = folder({ 'rules.txt': 'yes\n', 'other.txt': 'no' })
  expect(await can(['--rules', rules])).toEqual({ exit: 0, out: 'yes\n', err: '' })
  expect(await can([], { FREEHOLD_RULES: rules })).toEqual({ exit: 0, out: 'yes\n', err: '' })
  expect(await can([])).toMatchObject({ exit: 2, err: expect.stringContaining('--rules DIR or FREEHOLD_RULES') })
  expect(await can(['--rules', folder()])).toMatchObject({ exit: 2, err: expect.stringContaining('do not say yes') })
  expect(await can(['--policies', rules])).toMatchObject({ exit: 2, err: expect.stringContaining('--policies is for authorization') })
  const help = await freehold(['help', 'serve'], { designs, env: {} })
  expect(help.out.replaceAll(/\s+/g, ' ')).toContain('--rules <folder> the folder of the rules of this program')
})
