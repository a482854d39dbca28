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

/** A way to DynamoDB that is open. */
export interface Reached {
  readonly dynamo: ClientOptions
  /** Resolves when the embedded engine has ended; never where it is not ours to watch. */
  readonly ended: Promise<EngineEnd>
  /** Ends the engine if it was started here; a guest lets others finish with it, unless it is to end `now`. */
  close(when?: 'now'): Promise<void>
}

/** Who needs the way: see `openEngine`. */
export interface Reaching {
  /** In a person's words: `freehold create`. */
  readonly name: string
  readonly role: EngineRole
}

/** DynamoDB at AWS: tables there are made by whoever deploys, never in passing. */
export function isAtAws(endpoint: Endpoint): boolean {
  if (endpoint.kind === 'endpoint') return isAwsEndpoint(endpoint.endpoint)
  return endpoint.kind === 'aws'
}

function elsewhere(dynamo: ClientOptions): Reached {
  return { dynamo, ended: new Promise(() => {}), close: async () => {} }
}

/** Reaches an endpoint. The embedded engine is started, or joined where one runs; a guest's ends at a signal by itself. */
export async function reach(shell: Shell, endpoint: Endpoint, { name, role }: Reaching): Promise<Reached> {
  if (endpoint.kind === 'aws') return elsewhere({ region: endpoint.region })
  if (endpoint.kind === 'endpoint') return elsewhere({ endpoint: endpoint.endpoint })
  const log = (sentence: string) => shell.err(`${safeText(sentence)}\n`)
  const engine = await openEngine({ ...endpoint, binary: findEngine(shell.env), role, name, log })
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
