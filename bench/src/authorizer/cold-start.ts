import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Package } from './bundle.js'
import { type Scene, secret } from './scene.js'

const run = promisify(execFile)
const starts = 15

/**
 * From the first line of the process, which is where Lambda's own runtime would import the function. `ready`: the handler takes events; that is what
 * Lambda calls the init phase. `answered`: it has answered its first event, with three round trips to the embedded engine.
 */
const script = `
const [begin, before] = [performance.now(), process.cpuUsage()]
const { handler } = await import('./index.mjs')
const ready = performance.now() - begin
const { user, system } = process.cpuUsage(before)
const answer = await handler(JSON.parse(process.env.EVENT))
if (answer.isAuthorized !== true) throw new Error('The request is not allowed.')
console.log('measured', ready, performance.now() - begin, (user + system) / 1000)
process.exit()
`

export interface ColdStart {
  readonly ready_ms: number
  readonly readyLeast_ms: number
  readonly answered_ms: number
  readonly answeredLeast_ms: number
  /** Of all threads until it is ready, the median. */
  readonly cpu_ms: number
}

const median = (values: readonly number[]) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** How long a process takes to load the function, Cedar, the map and the policies, and to answer, of some starts, in milliseconds. */
export async function coldStart({ folder }: Package, { endpoint, event }: Scene): Promise<ColdStart> {
  const took: (readonly number[])[] = []
  const env = {
    ...{ PATH: process.env.PATH, LAMBDA_TASK_ROOT: folder, FREEHOLD_TOKEN_SECRET: secret },
    ...{ DYNAMODB_ENDPOINT: endpoint, EVENT: JSON.stringify(event) },
  }
  for (let start = 0; start < starts; start += 1) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, env })
    took.push((/measured (.*)/.exec(stdout)?.[1] ?? '').split(' ').map(Number))
  }
  const column = (index: number) => took.map((each) => each[index] ?? Number.NaN)
  const [ready, answered, cpu] = [column(0), column(1), column(2)]
  return {
    ...{ ready_ms: median(ready), readyLeast_ms: Math.min(...ready) },
    ...{ answered_ms: median(answered), answeredLeast_ms: Math.min(...answered), cpu_ms: median(cpu) },
  }
}
