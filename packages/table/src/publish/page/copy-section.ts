import { canChange } from '../../analyse/copies.ts'
import type { AnyDesign } from '../../design/design.ts'
import { enumerationWords } from './enumeration-words.ts'
import { codes, table } from './markdown.ts'

/** The copies that follow a change of their original, and how they are found. Copies of fixed attributes are left out. */
export function copySection({ form }: AnyDesign): string[] {
  const rows = [...form.entities.values()].flatMap((original) =>
    form.followersOf(original).flatMap(({ side, copies, dependant: { enumeration, reference } }) => {
      // An attribute of the reference itself changes only with the reference.
      const following = copies.filter(({ from }) => canChange(original, from) && reference?.by[from] === undefined)
      if (following.length === 0) return []
      return [
        [
          codes(following.map(({ from }) => `${original.name}.${from}`)),
          codes(following.map(({ attribute }) => `${side.name}.${attribute}`)),
          enumeration === undefined ? '' : enumerationWords(enumeration),
        ],
      ]
    }),
  )
  if (rows.length === 0) return []
  return [
    '## Copies',
    'When an original changes, its copies change, too. They are found as follows:',
    table(['original', 'copies', 'found as'], rows),
  ]
}
