import type { DesignModule } from '@freehold/designs'
import { offered } from '../naming/offered.ts'
import { jsonLine, type Shell } from '../shell.ts'

/** The same design; its flows print their changes to stderr, as lines of JSON. */
export function loggedModule(module: DesignModule, { err }: Pick<Shell, 'err'>): DesignModule {
  return module.flows === undefined ? module : { ...module, flows: module.flows.loggedBy((line) => err(jsonLine(line))) }
}

/**
 * The designs of a shell. A table that keeps its changes tells them by itself; where a deployer left that feature out, a command prints those that it
 * makes to stderr, since nothing else would tell them.
 */
export function loggedDesigns(shell: Pick<Shell, 'designs' | 'env' | 'err'>): Shell['designs'] {
  const keepsChanges = (name: string) => Object.hasOwn(offered(shell).get(name)?.design.features ?? {}, 'changes')
  const err = (text: string) => shell.err(text)
  return new Map(
    [...shell.designs].map(([name, module]) => [
      name,
      loggedModule(module, {
        err: (text) => {
          if (!keepsChanges(name)) err(text)
        },
      }),
    ]),
  )
}
