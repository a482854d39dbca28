import { expect, test } from 'vitest'
import { showSituation } from './show-situation.ts'
import { situations } from './situations.ts'

// Situations that random load seldom brings about: each is one that a mend of issue 10 was for (`npm run campaign:reverts`).

const timeout = 120_000

test.concurrent.for(situations.map((situation) => [situation.name, situation] as const))('%s', { timeout }, async ([, situation]) => {
  expect((await showSituation(situation)).findings).toEqual([])
})
