import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { freehold } from '../../test/recorded-shell.ts'
import { answering } from './answering.ts'
import { moduleNamed } from './named.ts'

const { decider: _, ...withoutDecider } = moduleNamed({ settings: {}, designs: designModules }, 'rebac')

describe('a design without decisions', () => {
  test('answers no questions, and names those that do', () => {
    expect(() => answering({ designs: designModules }, withoutDecider)).toThrow(
      'rebac answers no questions: it has entities and access patterns, see `freehold patterns rebac`. These designs do: account-management, platform and rebac.',
    )
    expect(answering({ designs: designModules }, moduleNamed({ settings: {}, designs: designModules }, 'rebac'))).toBe(
      moduleNamed({ settings: {}, designs: designModules }, 'rebac'),
    )
  })

  const silent = [...designModules.values()].flatMap(({ design, decider }) => (decider === undefined ? [design.name] : []))

  describe.each(silent)('%s', (design) => {
    // Nothing answers at that port, and nobody asks it.
    test.each(['can', 'why', 'what', 'who', 'where', 'access'])(
      'names the option that it needs for %s, and exits with 2',
      async (question) => {
        const { exit, out, err } = await freehold([question, design, '{"user":"a"}'], {
          env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' },
          designs: designModules,
        })
        expect({ exit, out }).toEqual({ exit: 2, out: '' })
        expect(err).toBe(
          `freehold: ${design} answers no questions without the Cedar policies of authorization: name their folder by --policies DIR or FREEHOLD_POLICIES, or a policy store by --store ID or FREEHOLD_POLICY_STORE. (InvalidInput)\n`,
        )
      },
    )
  })
})
