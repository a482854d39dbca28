import { describeModule, moduleCosts } from '@freehold/frame'
import { moduleNamed } from '../naming/named.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

/** Prints a page for the review of a design. */
export async function docs(shell: Shell, [design]: readonly string[]): Promise<Exit> {
  const module = moduleNamed(shell, design)
  await shell.out(describeModule(module, await moduleCosts(module)))
  return exit.yes
}
