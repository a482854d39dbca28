import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DecisionLine } from '@freehold/service'
import { describe, expect, test } from 'vitest'
import { folder, freehold } from '../../test/recorded-shell.ts'

const line = (minute: number, more: Partial<DecisionLine> = {}): DecisionLine => ({
  time: `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`,
  request: `request-${minute}`,
  design: 'rebac',
  question: 'can',
  asked: { user: 'ada@example.org', location: 'NYC', page: 'dashboard' },
  outcome: 'allowed',
  roundTrips: 2,
  ms: 1,
  ...more,
})

const denied: Partial<DecisionLine> = { outcome: 'denied', reason: { kind: 'policy', code: 'NoGrant', message: 'No.' } }
const lines = [
  line(0),
  line(1, { ...denied, asked: { user: 'bob@example.org', resource: { type: 'Ticket', id: 't-1' } } }),
  line(2, { design: 'platform', question: 'who', outcome: 'listed', items: 3 }),
  line(3, denied),
]
const written = (all: readonly object[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('')

/** A folder with a log, the older half of which was put aside. */
function log(): string {
  return folder({ 'd.jsonl': `${written(lines.slice(2))}{"time":"2026`, 'd.jsonl.1': written(lines.slice(0, 2)) })
}

const found = async (...options: string[]) => {
  const ran = await freehold(['decisions', 'd.jsonl', ...options, '--json'], { env: {}, cwd: log() })
  const requests = ran.out
    .split('\n')
    .filter(Boolean)
    .map((each) => JSON.parse(each).request)
  return { exit: ran.exit, minutes: requests.map((request: string) => Number(request.slice(8))) }
}

describe('decisions', () => {
  test.each([
    [[], [0, 1, 2, 3]],
    [
      ['--user', 'ada@example.org'],
      [0, 2, 3],
    ],
    [['--user', 'ada'], []],
    [
      ['--outcome', 'denied'],
      [1, 3],
    ],
    [['--design', 'platform'], [2]],
    [
      ['--question', 'can'],
      [0, 1, 3],
    ],
    [['--request', 'request-1'], [1]],
    [
      ['--since', '2026-01-02T03:01:00Z', '--until', '2026-01-02T03:03:00Z'],
      [1, 2],
    ],
    [['--since', '2026-01-02T04:02:00+01:00', '--outcome', 'denied'], [3]],
    [['--since', '1h'], []],
    [
      ['--limit', '2'],
      [0, 1],
    ],
  ])('%j finds those, the oldest first, also in files that were put aside', async (options, minutes) => {
    expect(await found(...options)).toEqual({ exit: 0, minutes })
  })

  test('prints a table of the last ones, and tells what it could not read', async () => {
    const ran = await freehold(['decisions', 'd.jsonl', '--limit', '2', '--outcome', 'denied'], { env: {}, cwd: log() })
    expect(ran).toMatchObject({ exit: 0, err: '1 line of the log could not be read.\n' })
    expect(ran.out).toContain('bob@example.org')
    expect(ran.out).toContain('resource=Ticket t-1')
    expect(ran.out).toContain('location=NYC page=dashboard')
    expect(ran.out).toContain('NoGrant')
    const some = await freehold(['decisions', 'd.jsonl', '--limit', '1'], { env: {}, cwd: log() })
    expect(some.out).toContain('request-3')
    expect(some.out).not.toContain('request-2')
    expect(some.err).toContain('These are the last 1 of 4')
    const none = await freehold(['decisions', 'd.jsonl', '--user', 'x'], { env: {}, cwd: log() })
    expect(none.out).toBe('No decision matches.\n')
  })

  test('steers no terminal by what somebody asked', async () => {
    const cwd = folder({ 'd.jsonl': written([line(0, { asked: { user: '\u001b[2Jada', page: 'a\nb' } })]) })
    const { out } = await freehold(['decisions', 'd.jsonl'], { env: {}, cwd })
    expect(out).not.toContain('\u001b')
    expect(out).toContain('a\\nb')
  })

  test('takes the file of the setting, and refuses one that is not there', async () => {
    const cwd = log()
    const ran = await freehold(['decisions', '--json'], { env: { FREEHOLD_DECISION_LOG: 'd.jsonl' }, cwd })
    expect(ran.out.split('\n')).toHaveLength(5)
    expect(await freehold(['decisions', 'none.jsonl'], { env: {}, cwd })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('none.jsonl does not exist'),
    })
    const refused = async (name: string, why: string) =>
      expect(await freehold(['decisions', name], { env: {}, cwd })).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(why) })
    await refused('.', 'is a folder')
    writeFileSync(join(cwd, 'notes.md'), 'Some notes.\n\nThey are no decisions.\n')
    await refused('notes.md', 'notes.md is no decision log: none of its lines is a decision.')
    expect(await freehold(['decisions'], { env: {}, cwd })).toMatchObject({ exit: 2, err: expect.stringContaining('Name the file') })
    expect(await freehold(['decisions', 'd.jsonl', '--since', 'yesterday'], { env: {}, cwd })).toMatchObject({ exit: 2 })
  })

  test('reads a log of many lines as a stream', async () => {
    const cwd = folder()
    const path = join(cwd, 'd.jsonl')
    const many = Array.from({ length: 50_000 }, (_, minute) => line(minute % 60))
    writeFileSync(path, written(many))
    const ran = await freehold(['decisions', 'd.jsonl', '--request', 'request-7'], { env: {}, cwd })
    expect(ran.err).toContain(`These are the last 100 of ${readFileSync(path, 'utf8').split('"request-7"').length - 1}`)
  })

  test.each([['.'], ['missing/d.jsonl'], ['notes.md/d.jsonl']])('are not logged to %s: a server does not start', async (name) => {
    const cwd = folder({ 'notes.md': '' })
    expect(await freehold(['serve', '--memory', '--decision-log', join(cwd, name)], { env: {}, cwd })).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringMatching(/^freehold: The decision log .* cannot be written: name a file in a folder that is there/),
    })
  })
})
