import type { Pendable } from '@freehold/table/runtime'
import type { PrintOptions, Shell } from '../shell.ts'
import { tellPending } from './pending.ts'
import { printItem } from './print-item.ts'

/** Prints an item after a write. Jobs that are left are in the JSON for a program, and on stderr for a person. */
export async function printWritten(shell: Shell, design: string, written: object & Pendable, options: PrintOptions): Promise<void> {
  const { pending = [], ...item } = written
  await printItem(shell, options.json === true ? { ...written } : item, options)
  tellPending(shell, design, { pending })
}
