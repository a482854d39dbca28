import type { Pendable } from '@freehold/table/runtime'
import type { PrintOptions, Shell } from '../shell.ts'
import { tellPending } from './pending.ts'
import { printItem } from './print-item.ts'

/** Prints an item as it is after a write. A program finds the jobs that are left in it, a person is told of them beside it. */
export async function printWritten(shell: Shell, design: string, written: object & Pendable, options: PrintOptions): Promise<void> {
  const { pending = [], ...item } = written
  await printItem(shell, options.json === true ? { ...written } : item, options)
  tellPending(shell, design, { pending })
}
