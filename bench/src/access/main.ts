import { contendersOn, questionsOf } from './contenders.js'
import { readMatrix } from './matrix.js'
import { measureSync } from './measure-sync.js'

// What one question costs that is asked of a snapshot of access, beside CASL and a plain Map of Sets.

/** What the project promises of itself. */
const target_ns = 1000

const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(26) : cell.padStart(16))).join('')

for (const name of ['hc', 'domino']) {
  const matrix = await readMatrix(name)
  const questions = questionsOf(matrix)
  const about = `${matrix.users.length} users, ${matrix.permissions.size} permissions, ${questions.length} questions`
  console.log(`${name}: ${about}\n${line(['', 'CPU', 'allocated', 'target'])}`)
  for (const { name: contender, cpu_ns, allocated_bytes } of measureSync(contendersOn(matrix), questions)) {
    console.log(
      line([
        contender,
        `${cpu_ns.toFixed(0)} ns`,
        `${allocated_bytes.toFixed(1)} B`,
        contender.startsWith('snapshot') ? `under ${target_ns} ns` : '',
      ]).trimEnd(),
    )
  }
  console.log('')
}
process.exit(0)
