import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Runs a bundled program to its end, which is told as a line of JSON what to do, and tells its results as such lines.
 * @returns why it has failed; undefined where it has not
 */
export async function runProcess(
  file: string,
  input: unknown,
  limit_ms: number,
  onResult: (result: unknown) => void,
): Promise<string | undefined> {
  const child = spawn(process.execPath, [file, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  })
  // It is not to outlive the campaign.
  const kill = () => void child.kill('SIGKILL')
  process.on('exit', kill)
  const deadline = setTimeout(kill, limit_ms)
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const lines = createInterface({ input: child.stdout }).on('line', (line) => onResult(JSON.parse(line)))
  const read = once(lines, 'close')
  const [code, signal] = await once(child, 'exit')
  clearTimeout(deadline)
  process.off('exit', kill)
  await read
  if (signal === 'SIGKILL') return `did not end: a call of it has no bound. ${said.join(' ')}`
  return code === 0 ? undefined : `ended with ${code ?? signal}: ${said.slice(-12).join('\n')}`
}
