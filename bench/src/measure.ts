/** One way to do the operation that is measured. */
export interface Contender {
  readonly name: string
  /** Makes what the next runs use up. Not measured. */
  prepare?(from: number, count: number): Promise<unknown>
  run(index: number): Promise<unknown>
}

/** Microseconds of this process's CPU, user and system, for one operation. */
export interface Measured {
  readonly name: string
  readonly cpu_us: number
}

const rounds = 5

async function cpuOf({ prepare, run }: Contender, count: number, from: number): Promise<number> {
  await prepare?.(from, count)
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) await run(from + index)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Runs the contenders in turn, round after round in one process, so that whatever the machine does meanwhile happens to all of them; the
 * median of the rounds counts. A round before them warms everything up.
 */
export async function measure(contenders: readonly Contender[], count: number): Promise<readonly Measured[]> {
  const all = contenders.map(({ name }) => ({ name, cpu: [] as number[] }))
  let from = 0
  for (let round = -1; round < rounds; round++) {
    for (const [place, contender] of contenders.entries()) {
      const cpu = await cpuOf(contender, count, from)
      from += count
      if (round >= 0) all[place]?.cpu.push(cpu)
    }
  }
  return all.map(({ name, cpu }) => ({ name, cpu_us: median(cpu) }))
}
