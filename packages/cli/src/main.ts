import { processShell } from './process-shell.ts'
import { runProgram } from './run-program.ts'

/** Runs the command named by `argv`, the whole of `process.argv`, and leaves its exit code to the process. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runProgram(processShell(), argv.slice(2))
}
