import type { Migration } from '@freehold/table/runtime'
import { counted } from './counted.ts'
import { listed } from './listed.ts'
import { lackingWords } from './survey.ts'

const grouped = new Intl.NumberFormat('en')
const width = 20

/** How far a pass over a table is: a bar for a terminal, numbers for a log. DynamoDB counts the items of a table every few hours. */
export function passWords(done: number, of: number, isInteractive: boolean): string {
  const part = of === 0 ? 0 : Math.min(1, done / of)
  const filled = Math.floor(part * width)
  const bar = isInteractive ? `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ` : ''
  return `${bar}${grouped.format(done)} of about ${grouped.format(Math.max(of, done))} items`
}

/** What a former version of the design needs and this one does not, or undefined. */
export function formerWords({ former, indexes: { removed } }: Pick<Migration, 'former' | 'indexes'>): string | undefined {
  const words = [...Object.entries(former).map(([entity, count]) => `${count} ${entity}`), ...removed.map((name) => `the index ${name}`)]
  return words.length === 0 ? undefined : listed(words)
}

/** What a migration would do, line by line. */
export function planLines(migration: Migration, isFinal: boolean): readonly string[] {
  const { indexes, missing, items, readUnits, writeUnits } = migration
  const former = formerWords(migration)
  const only = former === undefined ? [] : [`Only a former version needs: ${former}. ${isFinal ? 'It is removed.' : '--final removes it.'}`]
  return [
    ...indexes.added.map((name) => `The index ${name} is added. DynamoDB fills it from the items that have its key.`),
    lackingWords(missing),
    ...only,
    `About ${counted(Math.ceil(writeUnits), 'write unit')}, without those of indexes, and ${counted(Math.ceil(readUnits), 'read unit')} for each pass over ${counted(items, 'item')}.`,
  ]
}
