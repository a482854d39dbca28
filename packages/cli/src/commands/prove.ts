import { describeProof, prove } from '@freehold/table/prove'
import { moduleNamed } from '../naming/named.ts'
import { type Exit, exit, type PrintOptions, printJson, type Shell } from '../shell.ts'

/** Proves a design. Exits with 1 if it is not proven. */
export async function proveDesign(shell: Shell, [design]: readonly string[], { json = false }: PrintOptions): Promise<Exit> {
  const proof = prove(moduleNamed(shell, design).design)
  if (json) await printJson(shell, proof)
  else await shell.out(describeProof(proof))
  return proof.isProven ? exit.yes : exit.no
}
