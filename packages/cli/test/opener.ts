import { createInterface } from 'node:readline'
import { endOnSignal } from '../src/engine/end-on-signal.ts'
import { type OpenOptions, openEngine } from '../src/engine/open.ts'

/** The one argument of the process. */
export interface OpenerOptions extends Omit<OpenOptions, 'log'> {
  /** Whether it ends the engine at a signal itself, or dies of it. */
  readonly handlesSignals: boolean
}

/** The answer of the process: its first line of stdout. */
export type Opened =
  | { readonly endpoint: string; readonly engine: number | undefined; readonly attached: boolean }
  | { readonly code: string; readonly message: string; readonly details: { readonly [name: string]: unknown } }

// A process of its own that opens the engine, and stops, throws or exits when it is told to on stdin.
const options: OpenerOptions = JSON.parse(process.argv[2] ?? '')
const tell = (opened: Opened): boolean => process.stdout.write(`${JSON.stringify(opened)}\n`)
try {
  const engine = await openEngine({ ...options, log: (sentence) => process.stderr.write(`${sentence}\n`) })
  if (options.handlesSignals) endOnSignal(() => engine.stop('now'))
  tell({ endpoint: engine.endpoint, engine: engine.pid(), attached: engine.attached })
  const orders = createInterface({ input: process.stdin })
  orders.once('line', async (order) => {
    if (order === 'exit') process.exit(3)
    if (order === 'throw') throw new Error('thrown as told')
    orders.close()
    process.stdin.destroy()
    await engine.stop()
  })
} catch (error) {
  const { code, message, details } = error as { code: string; message: string; details: { [name: string]: unknown } }
  tell({ code, message, details })
  process.exitCode = 2
}
