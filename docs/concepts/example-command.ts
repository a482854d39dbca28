import { designModules } from '@freehold/designs'
import type { DesignModule } from '@freehold/frame'
import { main } from 'freehold'
import { readers } from './example.ts'

/** A module is a design with what a program adds to it. This one has neither decisions nor flows. */
export const readersModule = { design: readers, summary: 'Reading clubs, their members and meetings.' } satisfies DesignModule

/** The command `freehold`, with one more design. */
export function readersCommand(argv: readonly string[]): Promise<void> {
  return main(argv, new Map<string, DesignModule>([...designModules, [readers.name, readersModule]]))
}
