import type { DesignModule } from '@freehold/frame'
import { offered } from '../naming/offered.ts'
import { jsonLine, type Shell } from '../shell.ts'

/** The same design; its flows print their changes to stderr, as lines of JSON. */
export function loggedModule(module: DesignModule, { err }: Pick<Shell, 'err'>): DesignModule {
  return module.flows === undefined ? module : { ...module, flows: module.flows.loggedBy((line) => err(jsonLine(line))) }
}

/**
 * The same design as a shell offers it. A table that keeps its changes tells them by itself; where a deployer left that feature out, a command prints
 * those that it makes to stderr, since nothing else would tell them.
 */
export function loggedLike(shell: Pick<Shell, 'designs' | 'settings' | 'err'>, module: DesignModule): DesignModule {
  const keepsChanges = () => Object.hasOwn(offered(shell).get(module.design.name)?.design.features ?? {}, 'changes')
  const err = (text: string) => {
    if (!keepsChanges()) shell.err(text)
  }
  return loggedModule(module, { err })
}

/** The designs of a shell, logged. */
export function loggedDesigns(shell: Pick<Shell, 'designs' | 'settings' | 'err'>): Shell['designs'] {
  return new Map([...shell.designs].map(([name, module]) => [name, loggedLike(shell, module)]))
}
