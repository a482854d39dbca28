import { measure } from '../measure.js'
import { contendersOn } from './contenders.js'
import { expected, permitsOf, questions } from './question.js'

// Decisions a second by 10, 100 and 1,000 policies, within the process. Nothing is read from a table.

const sizes = [10, 100, 1000] as const
/** Decisions of one round of a contender. */
const count = 300

const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(26) : cell.padStart(16))).join('')
const rows = new Map<string, string[]>()

for (const size of sizes) {
  const contenders = await contendersOn(permitsOf(size))
  for (const { name, decide } of contenders)
    for (const question of questions)
      if ((await decide(question)) !== expected(question)) throw new Error(`${name} answers otherwise: ${JSON.stringify(question)}`)
  const measured = await measure(
    contenders.map(({ name, decide }) => ({
      name,
      run: async (index) => decide(questions[index % questions.length] ?? { action: 'view', tenant: 'acme' }),
    })),
    count,
  )
  for (const { name, cpu_us } of measured) rows.set(name, [...(rows.get(name) ?? []), `${Math.round(1e6 / cpu_us)}/s`])
}

console.log(line(['decisions of one core', ...sizes.map((size) => `${size} policies`)]))
for (const [name, cells] of rows) console.log(line([name, ...cells]))
process.exit(0)
