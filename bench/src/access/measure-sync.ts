import { GCProfiler } from 'node:v8'
import { median } from '../measure.js'
import type { Contender, Question } from './contenders.js'

/** One contender's cost of one question. */
export interface Measured {
  readonly name: string
  readonly cpu_ns: number
  readonly allocated_bytes: number
}

const rounds = 9
const questionsPerRound = 200_000

function askAll({ can }: Contender, questions: readonly Question[]): number {
  let allowed = 0
  for (let asked = 0; asked < questionsPerRound; ) {
    for (let index = 0; index < questions.length && asked < questionsPerRound; index++, asked++) {
      const question = questions[index]
      if (question !== undefined && can(question)) allowed++
    }
  }
  return allowed
}

/** Young objects have room for all that a round makes, so that the heap grows by exactly that; a collection meanwhile would hide it. */
function measureOnce(contender: Contender, questions: readonly Question[]): Omit<Measured, 'name'> {
  globalThis.gc?.()
  const profiler = new GCProfiler()
  profiler.start()
  const heap = process.memoryUsage().heapUsed
  const before = process.cpuUsage()
  askAll(contender, questions)
  const { user, system } = process.cpuUsage(before)
  const allocated = process.memoryUsage().heapUsed - heap
  if (profiler.stop().statistics.length > 0) throw new Error(`${contender.name}: a collection came between.`)
  return { cpu_ns: ((user + system) * 1000) / questionsPerRound, allocated_bytes: allocated / questionsPerRound }
}

/** Contenders in turn, round after round in one process; the median of the rounds counts. Two rounds before them warm everything up. */
export function measureSync(contenders: readonly Contender[], questions: readonly Question[]): readonly Measured[] {
  const all = contenders.map(() => [] as Omit<Measured, 'name'>[])
  for (let round = -2; round < rounds; round++) {
    for (const [place, contender] of contenders.entries()) {
      const measured = measureOnce(contender, questions)
      if (round >= 0) all[place]?.push(measured)
    }
  }
  return contenders.map(({ name }, place) => ({
    name,
    cpu_ns: median((all[place] ?? []).map(({ cpu_ns }) => cpu_ns)),
    allocated_bytes: median((all[place] ?? []).map(({ allocated_bytes }) => allocated_bytes)),
  }))
}
