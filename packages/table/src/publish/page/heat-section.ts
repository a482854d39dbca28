import type { PartitionHeat } from '../../analyse/heat.ts'
import type { Proof } from '../../analyse/prove.ts'
import { grouped } from '../../grouped.ts'
import { codes, prose } from './markdown.ts'

/** The partitions of the table, then those of each index. */
function places(partitions: readonly PartitionHeat[]): string {
  const byIndex = grouped(partitions, ({ index = '' }) => index)
  const words = [...byIndex].map(
    ([index, those]) => `${index === '' ? '' : `in ${index} `}${codes(those.map(({ partition }) => partition))}`,
  )
  return words.join('; ')
}

/** How hot partitions can get and when to worry, the hottest first. Partitions with the same answer are listed together. */
export function heatSection({ partitions }: Proof): string[] {
  const alike = grouped(partitions, ({ heat, reason, watch }) => JSON.stringify([heat, reason, watch]))
  const blocks = [...alike.values()].flatMap((those) => {
    const [first] = those
    return first === undefined ? [] : [`- **${first.heat}**: ${places(those)}\n\n  ${prose(first.reason)} ${prose(first.watch)}`]
  })
  return ['## Heat', ...blocks]
}
