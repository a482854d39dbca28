import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Package } from './bundle.js'

const run = promisify(execFile)
const starts = 15

/** From the first line of the process until the handler takes events: what Lambda calls the init phase, after its own runtime has started. */
const script = `
const [begin, before] = [performance.now(), process.cpuUsage()]
await import('./index.mjs')
const { user, system } = process.cpuUsage(before)
console.log(performance.now() - begin, (user + system) / 1000)
`

export interface ColdStart {
  readonly median_ms: number
  readonly least_ms: number
  /** Of all threads, the median. */
  readonly cpu_ms: number
}

const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** How long a process takes to load the function, Cedar, the map and the policies, of some starts, in milliseconds. */
export async function coldStart({ folder }: Package): Promise<ColdStart> {
  const took: (readonly [ms: number, cpu_ms: number])[] = []
  const env = {
    ...process.env,
    LAMBDA_TASK_ROOT: folder,
    FREEHOLD_TOKEN_SECRET: 'a secret of at least thirty-two bytes, for the bench',
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
  }
  for (let start = 0; start < starts; start += 1) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, env })
    const [ms = Number.NaN, cpu_ms = Number.NaN] = stdout.split(' ').map(Number)
    took.push([ms, cpu_ms])
  }
  const times = took.map(([ms]) => ms)
  return { median_ms: median(times), least_ms: Math.min(...times), cpu_ms: median(took.map(([, cpu_ms]) => cpu_ms)) }
}
