import type { ClientOptions } from '@freehold/table'
import { isAwsEndpoint } from '@freehold/table/runtime'
import { findEngine } from '../engine/binary.ts'
import { endOnSignal } from '../engine/end-on-signal.ts'
import type { Endpoint } from '../engine/endpoint.ts'
import type { EngineRole } from '../engine/lock.ts'
import { openEngine } from '../engine/open.ts'
import type { EngineEnd } from '../engine/start.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'

/** An open connection to DynamoDB. */
export interface Reached {
  readonly dynamo: ClientOptions
  /** Resolves when the embedded engine has ended. Never resolves for another process's engine. */
  readonly ended: Promise<EngineEnd>
  /** Ends the engine if it was started here. A guest waits for other commands that use it, unless it must end `now`. */
  close(when?: 'now'): Promise<void>
}

/** The program that connects: see `openEngine`. */
export interface Reaching {
  /** Its name for people: `freehold create`. */
  readonly name: string
  readonly role: EngineRole
  /** Receives sentences about the engine. By default they go to stderr. */
  readonly log?: ((sentence: string) => void) | undefined
  /** Receives each line that the engine writes to stderr. By default none is shown. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** True for DynamoDB at AWS, where only a deployment creates tables. */
export function isAtAws(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'endpoint') return isAwsEndpoint(endpoint.endpoint)
  return endpoint.kind === 'aws'
}

function elsewhere(dynamo: ClientOptions): Reached {
  return { dynamo, ended: new Promise(() => {}), close: async () => {} }
}

/** Connects to an endpoint. Starts the embedded engine, or attaches to a running one. A guest's engine ends at a signal by itself. */
export async function reach(
  shell: Pick<Shell, 'settings' | 'env' | 'err'>,
  endpoint: Endpoint,
  { name, role, log, onLine }: Reaching,
): Promise<Reached> {
  if (endpoint.kind === 'aws') return elsewhere({ region: endpoint.region })
  if (endpoint.kind === 'endpoint') {
    // The AWS SDK finds what its settings name, with the region and credentials that go with it.
    const { endpoint: url, from, region } = endpoint
    return elsewhere(from === undefined ? { endpoint: url } : { ...(region !== undefined && { region }) })
  }
  const say = log ?? ((sentence: string) => shell.err(`${safeText(sentence)}\n`))
  const engine = await openEngine({ ...endpoint, binary: findEngine(shell.env), role, name, log: say, onLine })
  const release = role === 'guest' ? endOnSignal(() => engine.stop('now')) : () => {}
  return {
    dynamo: { endpoint: engine.endpoint },
    ended: engine.exited,
    close: async (when) => {
      await engine.stop(when)
      release()
    },
  }
}
