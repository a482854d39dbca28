import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Entry } from './record.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Beyond its time, a worker may take so long for the calls that are under way then; longer is a finding, and it is killed. */
const grace_ms = 45_000

export interface WorkersRun {
  readonly entries: readonly Entry[]
  /** What kept a process from coming to its end. */
  readonly failures: readonly string[]
}

async function runWorker(file: string, options: WorkerOptions, entries: Entry[]): Promise<string[]> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  })
  // It is not to outlive the campaign.
  const kill = () => void child.kill('SIGKILL')
  process.on('exit', kill)
  const deadline = setTimeout(kill, options.run_ms_max + grace_ms)
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const lines = createInterface({ input: child.stdout }).on('line', (line) => entries.push(JSON.parse(line)))
  const read = once(lines, 'close')
  const [code, signal] = await once(child, 'exit')
  clearTimeout(deadline)
  process.off('exit', kill)
  await read
  if (signal === 'SIGKILL') return [`Process ${options.process} did not end: a call of it has no bound. ${said.join(' ')}`]
  return code === 0 ? [] : [`Process ${options.process} ended with ${code ?? signal}: ${said.slice(-12).join('\n')}`]
}

/** Runs the processes of a round side by side, to their end. */
export async function runWorkers(file: string, count: number, options: Omit<WorkerOptions, 'process'>): Promise<WorkersRun> {
  const entries: Entry[] = []
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const failures = await Promise.all(numbers.map((number) => runWorker(file, { ...options, process: number }, entries)))
  return { entries: entries.sort((a, b) => a.start_ms - b.start_ms), failures: failures.flat() }
}
