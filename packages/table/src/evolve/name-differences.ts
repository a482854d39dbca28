import { keyNames } from '../design/compiled-pattern.ts'
import { reservedAttributes } from '../design/entity.ts'
import { breaking, compatible, type Difference, pairs, type Versions } from './difference.ts'
import type { Lock } from './lock.ts'

/** What a version has a name for. The names of what is new, or gone, are told with it. */
function known({ entities }: Lock): Readonly<Record<'attributes' | 'types' | 'indexes', readonly string[]>> {
  const all = Object.values(entities)
  const indexes = all.flatMap((each) => Object.keys(each.indexes ?? {}))
  return {
    attributes: [
      ...reservedAttributes,
      ...indexes.flatMap(keyNames),
      ...all.flatMap(({ attributes = {}, carries = [] }) => [...Object.keys(attributes), ...carries]),
    ],
    types: Object.keys(entities),
    indexes,
  }
}

/** Items that are there have the names that they were written with. */
export function nameDifferences({ before, after }: Versions): readonly Difference[] {
  const [was, is] = [known(before), known(after)]
  const renamed = (['attributes', 'types', 'indexes'] as const).flatMap((part) =>
    pairs(before.names?.[part], after.names?.[part]).flatMap(([name, old = name, now = name]): readonly Difference[] => {
      if (old === now || !was[part].includes(name) || !is[part].includes(name)) return []
      const at = `names.${part}.${name}`
      const message = `Was ${old} in the table, and is ${now}. What is there has the former name.`
      const isOfIndex = part === 'indexes' || (part === 'attributes' && was.indexes.flatMap(keyNames).includes(name))
      if (isOfIndex)
        return [
          breaking(
            'OtherIndexName',
            at,
            message,
            'Add an index of the same key with the new names, and migrate.',
            'Read by that index. A later version takes the former one away.',
          ),
        ]
      if (part === 'types' || reservedAttributes.includes(name))
        return [
          breaking(
            'OtherKeyName',
            at,
            message,
            'Make a table with the new names.',
            'Copy the items to it by export and import, and open it. Start no program of this version before the last one of the former has ended.',
          ),
        ]
      return [
        breaking(
          'OtherStoredName',
          at,
          message,
          `Call the attribute otherwise, with .was('${name}') and stored as ${now}, and migrate.`,
          `Leave .was('${name}') out, and start no program of this version before the last one of the former has ended.`,
        ),
      ]
    }),
  )
  const isCounted = (lock: Lock) => lock.names?.uncounted === undefined
  if (isCounted(before) === isCounted(after)) return renamed
  const message = isCounted(after) ? 'A write may name a version from now on.' : 'A write that names a version is refused from now on.'
  if (isCounted(after)) return [...renamed, compatible('CountedVersion', 'names.version', message)]
  return [
    ...renamed,
    breaking(
      'UncountedVersion',
      'names.version',
      message,
      'Let callers ask by where for what they read.',
      'Leave the name of the version out.',
    ),
  ]
}
