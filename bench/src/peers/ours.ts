import { beginsWith, connect, design, entity, opaqueId, query, queryOn, stamp, text } from '@freehold/table'
import type { Peer, Place } from './peer.js'

const Workstream = entity('Workstream', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    enterpriseId: opaqueId().optional(),
    name: text(),
    description: text().optional(),
    createdAt: stamp.onCreate(),
    updatedAt: stamp.onWrite(),
  },
  key: ['ACCOUNT#{accountId}', 'WORKSTREAM#{id}'],
  indexes: { GSI1: ['ENTITY#WORKSTREAM', 'WORKSTREAM#{id}'], GSI2: ['ENTERPRISE#{enterpriseId}', 'WORKSTREAM#{id}'] },
})

export const workstreams = design({
  name: 'workstreams',
  table: 'workstreams',
  entities: { Workstream },
  patterns: {
    ofAccount: query('ACCOUNT#{accountId}', beginsWith('WORKSTREAM#')).returns(Workstream),
    ofEnterprise: queryOn('GSI2', 'ENTERPRISE#{enterpriseId}', beginsWith('WORKSTREAM#')).returns(Workstream),
  },
})

/** The way of `connect` to where a peer works. */
export const wayTo = ({ endpoint, engine }: Place) => (engine === undefined ? { dynamo: { endpoint } } : { engine })

export function freehold(place: Place): Peer {
  const { table } = place
  const db = connect(workstreams, { table, ...wayTo(place) })
  // What sends is a port of `connect`. This one hands the request over and never answers: what comes after an answer is no planning.
  let reached: (request: unknown) => void = () => undefined
  const send = (_operation: string, request: unknown) => {
    reached(request)
    return new Promise<never>(() => undefined)
  }
  const nowhere = connect(workstreams, { table, sender: { send, close: () => undefined } })
  return {
    get: (id) => db.Workstream.get(id),
    create: (item) => db.Workstream.create(item),
    join: (id, enterpriseId) => db.Workstream.update(id, { enterpriseId }),
    leave: (id) => db.Workstream.update(id, { enterpriseId: null }),
    ofAccount: async (accountId, limit) => (await db.ofAccount({ accountId }, { limit })).items,
    ofEnterprise: async (enterpriseId, limit) => (await db.ofEnterprise({ enterpriseId }, { limit })).items,
    plan: (item) =>
      new Promise((resolve, reject) => {
        reached = resolve
        nowhere.Workstream.create(item).catch(reject)
      }),
  }
}
