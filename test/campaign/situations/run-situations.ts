import { inLanes } from '../in-lanes.ts'
import { showSituation } from './show-situation.ts'
import { situations } from './situations.ts'

// A process of its own: brings about the situations that it is told the names of, and writes a line of JSON for each.

const names: readonly string[] = JSON.parse(process.argv[2] ?? '[]')

/** They mostly wait. */
const lanes = 4

await inLanes(
  lanes,
  situations.filter(({ name }) => names.includes(name)),
  async (situation) => process.stdout.write(`${JSON.stringify(await showSituation(situation))}\n`),
)
