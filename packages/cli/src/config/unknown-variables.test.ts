import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { sources } from '../../../../test/sources.ts'
import { folder, freehold } from '../../test/recorded-shell.ts'
import { knownVariables, unknownVariables } from './unknown-variables.ts'

const value = 'correct horse battery staple'

/** Names in the sources that begin as variables do: keys of records that the table keeps of itself, the key that health asks for, and the code of an error. */
const noVariables = ['FREEHOLD_CALLS', 'FREEHOLD_HEALTH', 'FREEHOLD_JOBS', 'FREEHOLD_NOT_SENT']

test('every variable that the sources name is known', async () => {
  const texts = sources().flatMap(({ isTest, text }) => (isTest ? [] : [text]))
  const named = new Set(texts.flatMap((text) => text.match(/FREEHOLD_[A-Z_]+/g) ?? []))
  // What ends with an underscore is the beginning of several: of a table for each design.
  const whole = [...named].filter((name) => !name.endsWith('_'))
  expect(whole.length).toBeGreaterThan(25)
  const known = await knownVariables(designModules)
  expect(whole.filter((name) => !known.includes(name)).sort()).toEqual(noVariables)
})

describe('a variable that nothing reads', () => {
  test.each([
    ['FREEHOLD_WORKRES', 'FREEHOLD_WORKRES is no setting. Did you mean FREEHOLD_WORKERS? `freehold config` lists all.'],
    ['FREEHOLD_CONFG', 'FREEHOLD_CONFG is no setting. Did you mean FREEHOLD_CONFIG? `freehold config` lists all.'],
    ['FREEHOLD_POLICYS', 'FREEHOLD_POLICYS is no setting. Did you mean FREEHOLD_POLICIES? `freehold config` lists all.'],
    ['FREEHOLD_TABLE_REBCA', 'FREEHOLD_TABLE_REBCA is no setting. Did you mean FREEHOLD_TABLE_REBAC? `freehold config` lists all.'],
    [
      'FREEHOLD_AUTHORISER_MAP',
      'FREEHOLD_AUTHORISER_MAP is no setting. Did you mean FREEHOLD_AUTHORIZER_MAP? `freehold config` lists all.',
    ],
    ['FREEHOLD_workers', 'FREEHOLD_workers is no setting. Did you mean FREEHOLD_WORKERS? `freehold config` lists all.'],
    ['FREEHOLD_', 'FREEHOLD_ is no setting. `freehold config` lists all.'],
    ['FREEHOLD_FLUX_CAPACITOR', 'FREEHOLD_FLUX_CAPACITOR is no setting. `freehold config` lists all.'],
    [`FREEHOLD_${'X'.repeat(120)}`, `FREEHOLD_${'X'.repeat(91)} is no setting. \`freehold config\` lists all.`],
    ['FREEHOLD_\u001b[31mRED', 'FREEHOLD_\\u001b[31mRED is no setting. `freehold config` lists all.'],
  ])('%j is told with the name that was probably meant, and without its value', async (name, sentence) => {
    expect(await unknownVariables({ [name]: value }, designModules)).toEqual([sentence])
  })

  test.each([
    'FREEHOLD_CONFIG',
    'FREEHOLD_PORT',
    'FREEHOLD_POLICY_STORE',
    'FREEHOLD_TABLE',
    'FREEHOLD_TABLE_ACCOUNT_MANAGEMENT',
    'FREEHOLD_TABLE_SERVICE',
    'FREEHOLD_SECRET_ARN',
    'FREEHOLD_HTTP_ANSWERS',
  ])('%s is read by some part, and not told', async (name) => {
    expect(await unknownVariables({ [name]: value }, designModules)).toEqual([])
  })

  test('the variables of a design are known where a program has it', async () => {
    const rebac = designModules.get('rebac')
    const own = new Map([...designModules].filter(([name]) => name !== 'rebac'))
    expect(await unknownVariables({ FREEHOLD_TABLE_REBAC: value }, own)).toHaveLength(1)
    expect(rebac && (await unknownVariables({ FREEHOLD_TABLE_REBAC: value }, new Map([['rebac', rebac]])))).toEqual([])
  })

  test.each([[['designs']], [['designs', '--json']], [['flows', 'rebac']], [['config', '--json']], [['config', 'workers']]])(
    '%j tells it once on stderr, and does and prints the same',
    async (argv) => {
      const cwd = folder()
      const plain = await freehold(argv, { cwd, env: {} })
      const told = await freehold(argv, { cwd, env: { FREEHOLD_WORKRES: value } })
      expect(plain).toMatchObject({ exit: 0, err: '' })
      const note = 'FREEHOLD_WORKRES is no setting. Did you mean FREEHOLD_WORKERS? `freehold config` lists all.'
      expect(told).toEqual({ ...plain, err: `${argv.includes('--json') ? JSON.stringify({ note }) : note}\n` })
    },
  )
})
