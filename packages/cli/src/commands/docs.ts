import { describeDesign } from '@freehold/table/publish'
import { offerNamed } from '../naming/named.ts'
import { type Exit, exit, type Shell } from '../shell.ts'

/** Prints the page by which a design can be reviewed. */
export async function docs(shell: Shell, [design]: readonly string[]): Promise<Exit> {
  await shell.out(describeDesign(offerNamed(shell, design).design))
  return exit.yes
}
