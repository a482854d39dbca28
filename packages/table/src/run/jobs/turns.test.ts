import { expect, test } from 'vitest'
import type { Job } from './job.ts'
import { inTurns } from './turns.ts'

/** A job by a text such as `tenant/subject 3`: the number says since when it waits; no tenant where there is no slash. */
function jobOf(text: string): Job {
  const [about = '', since = ''] = text.split(' ')
  const [subject = '', tenant] = about.split('/').reverse()
  const leaseUntil = new Date(Number(since)).toISOString()
  const key = { PK: subject, SK: '' }
  return { id: text, kind: 'flow', entity: 'tidy', key, createdAt: leaseUntil, leaseUntil, done: 0, holder: 'h', tenant }
}

test.each<[string, string[], string[]]>([
  ['what has waited longest comes first', ['a 3', 'a 1', 'a 2'], ['a 1', 'a 2', 'a 3']],
  ['the first of another subject waits for one of those that are many', ['a 1', 'a 2', 'a 3', 'b 4'], ['a 1', 'b 4', 'a 2', 'a 3']],
  [
    'the first of another tenant waits for one of those that are many, however many subjects these have',
    ['A/a 1', 'A/b 2', 'A/c 3', 'B/d 4', 'A/e 5', 'B/d 6'],
    ['A/a 1', 'B/d 4', 'A/b 2', 'B/d 6', 'A/c 3', 'A/e 5'],
  ],
  ['subjects of one tenant take turns', ['A/a 1', 'A/a 2', 'A/b 3', 'B/c 4'], ['A/a 1', 'B/c 4', 'A/b 3', 'A/a 2']],
  ['what is of no tenant is not taken for a tenant of that name', ['a 1', 'a/x 2', 'a 3', 'a/x 4'], ['a 1', 'a/x 2', 'a 3', 'a/x 4']],
  ['nothing has no turn', [], []],
])('%s', (_, jobs, order) => {
  expect(inTurns(jobs.map(jobOf)).map(({ id }) => id)).toEqual(order)
})
