import type { Engine } from '@freehold/engine'
import type { NewWorkstream, WorkstreamId } from './workstream.js'

/** Where a peer works: each has a table of its own, so that all can write the same items. */
export interface Place {
  readonly endpoint: string
  readonly table: string
  /** An engine in this process, in place of the endpoint. */
  readonly engine?: Engine | undefined
}

/** One library, used as its documentation shows, for the same entity under the same stored keys. */
export interface Peer {
  get(id: WorkstreamId): Promise<unknown>
  /** Must not overwrite. */
  create(item: NewWorkstream): Promise<unknown>
  /** Changes an attribute that the keys of GSI2 name, of an item that must be there. */
  join(id: WorkstreamId, enterpriseId: string): Promise<unknown>
  /** Takes that attribute away. */
  leave(id: WorkstreamId): Promise<unknown>
  ofAccount(accountId: string, limit: number): Promise<readonly unknown[]>
  ofEnterprise(enterpriseId: string, limit: number): Promise<readonly unknown[]>
  /** Builds the request of `create`, and sends nothing. */
  plan(item: NewWorkstream): unknown
}

interface Connection {
  readonly endpoint: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly requestHandler?: Engine['requestHandler']
}

/** The same for all: where the embedded engine is. */
export function connectionOf({ endpoint, engine }: Place): Connection {
  const handler = engine === undefined ? {} : { requestHandler: engine.requestHandler }
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' }, ...handler }
}
