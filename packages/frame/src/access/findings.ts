import type { Finding } from '@freehold/table/prove'
import type { Declared } from './declared.ts'
import { lacksOf } from './lists.ts'

/** A finding of an access declaration. Its `subject` is the way concerned. */
export type AccessFinding = Finding<'OneWay'>

/** The ways that no item answers backwards, so that a list cannot be complete, and the addition that would mend each. */
export function findingsOf({ grants }: Declared): readonly AccessFinding[] {
  return grants.flatMap((route) =>
    (['who', 'where'] as const).flatMap((question) =>
      lacksOf(question, route).map(
        (lack): AccessFinding => ({
          code: 'OneWay',
          severity: 'error',
          subject: route.name,
          message: `No items list each ${lack.lists} by ${lack.by}, so \`${question}\` cannot be complete. Add ${lack.addition}.`,
          details: { question, ...lack },
        }),
      ),
    ),
  )
}
