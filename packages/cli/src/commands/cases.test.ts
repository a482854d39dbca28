import { openKeys } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { sampleTable } from '../../test/organisation.ts'
import { folder, freehold, type Ran } from '../../test/recorded-shell.ts'

const table: string = await sampleTable()

/** Runs the cases of a file with this text. */
const run = (text: string, ...flags: string[]): Promise<Ran> =>
  freehold(['cases', 'run', 'a.cases.yaml', '--table', table, ...flags], {
    cwd: folder({ 'a.cases.yaml': text }),
    env: { DYNAMODB_ENDPOINT: endpoint },
  })
const of = (user: string, page: string, expected: string, name = 'it') =>
  `- { name: ${name}, question: { user: ${user}, location: NYC001, page: ${page} }, expect: ${expected} }\n`
const file = (...cases: string[]) => `design: rebac\ncases:\n${cases.join('')}`
const ada = 'ada@example.org'

describe('saved questions', () => {
  test('pass as they are expected: yes, no, for a reason, and rows of a list', async () => {
    const ran = await run(
      file(
        of(ada, 'dashboard', 'true'),
        of('ben@example.org', 'reports', 'false'),
        of('ben@example.org', 'reports', 'NoGrant'),
        `- { ask: what, question: { user: ben@example.org, location: NYC001 }, expect: [{ page: dashboard }, { page: lessons }] }\n`,
      ),
    )
    expect(ran.out).toMatch(/4 of 4 questions answered as expected\.\n$/)
    expect(ran.exit).toBe(0)
  })

  test.each([
    [of(ada, 'dashboard', 'false'), 'it: expected no, got yes'],
    [of('ben@example.org', 'reports', 'UnknownUser'), 'it: expected no (UnknownUser), got no: No role'],
    [
      `- { name: it, ask: what, question: { user: ${ada}, location: NYC001 }, expect: [{ page: moon }] }\n`,
      'it: lacks {"page":"moon"}; has {',
    ],
    [`- { name: it, question: { user: ${ada} }, expect: true }\n`, 'it: can: location is missing'],
  ])('that are answered otherwise are told: %s', async (text, words) => {
    const ran = await run(file(text))
    expect(ran.out).toContain(words)
    expect(ran.out).toMatch(/0 of 1 question answered as expected\.\n$/)
    expect(ran.exit).toBe(1)
  })

  test('are told a line each as JSON', async () => {
    const ran = await run(file(of(ada, 'dashboard', 'true', 'one'), of(ada, 'dashboard', 'false', 'two')), '--json')
    expect(
      ran.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { file: 'a.cases.yaml', name: 'one', passed: true },
      { file: 'a.cases.yaml', name: 'two', passed: false, change: 'expected no, got yes' },
    ])
  })

  test.each([
    ['[', /is not YAML/],
    ['cases: []', /`design`/],
    [file('- { question: { user: x }, expect: 1 }\n'), /Case 1 needs `expect`: true, false or the code of a reason/],
    [file('- { ask: why, question: {}, expect: true }\n'), /Case 1 needs `question`/],
    ['design: nowhere\ncases: []', /nowhere/],
  ])('in a file that has none are refused: %s', async (text, words) => {
    const ran = await run(text)
    expect(ran.err).toMatch(words)
    expect(ran.exit).toBe(2)
  })

  test('of the table of the service are asked by their design, beside those of files', async () => {
    const env = { DYNAMODB_ENDPOINT: endpoint }
    const { saved, close } = await openKeys({ dynamo: { endpoint } })
    const question = { user: ada, location: 'NYC001', page: 'dashboard' }
    const { questionId } = await saved.save('rebac', { name: 'kept', ask: 'can', question, expect: false }, 'a test')
    const kept = await freehold(['cases', 'run', '--saved', 'rebac', '--table', table, '--json'], { env })
    expect([JSON.parse(kept.out), kept.exit]).toEqual([{ design: 'rebac', name: 'kept', passed: false, change: 'expected no, got yes' }, 1])
    const both = await run(file(of(ada, 'dashboard', 'true')), '--saved', 'rebac')
    expect(both.out).toMatch(/^kept: expected no, got yes\n1 of 2 questions answered as expected\.\n$/)
    await saved.remove('rebac', questionId)
    close()
    for (const [args, words] of [
      [[], /Name files \*\.cases\.yaml, or a design by --saved/],
      [['--saved', 'nowhere'], /nowhere/],
    ] as const) {
      const refused = await freehold(['cases', 'run', '--table', table, ...args], { env })
      expect(refused.err).toMatch(words)
      expect(refused.exit).toBe(2)
    }
  })
})
