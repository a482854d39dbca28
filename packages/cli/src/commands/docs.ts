import { describeModule } from '@freehold/frame'
import { moduleNamed } from '../naming/named.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

/** Prints a page for the review of a design. */
export async function docs(shell: Shell, [design]: readonly string[]): Promise<Exit> {
  await shell.out(describeModule(moduleNamed(shell, design)))
  return exit.yes
}
