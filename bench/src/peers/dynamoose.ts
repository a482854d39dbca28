import dynamoose from 'dynamoose'
import { connectionOf, type Peer, type Place } from './peer.js'
import type { NewWorkstream, WorkstreamId } from './workstream.js'

const iso = { type: { value: Date, settings: { storage: 'iso' } } } as const
const index = (name: string) => ({ name, type: 'global', rangeKey: `${name}SK` }) as const

/** Dynamoose has no templates of keys: the program makes them. */
const keyOf = ({ accountId, id }: WorkstreamId) => ({ PK: `ACCOUNT#${accountId}`, SK: `WORKSTREAM#${id}` })
const storedItem = (item: NewWorkstream) => ({
  ...item,
  ...keyOf(item),
  GSI1PK: 'ENTITY#WORKSTREAM',
  GSI1SK: `WORKSTREAM#${item.id}`,
  GSI2PK: `ENTERPRISE#${item.enterpriseId}`,
  GSI2SK: `WORKSTREAM#${item.id}`,
})

export function dynamooseOf(place: Place): Peer {
  dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB(connectionOf(place)))
  const schema = new dynamoose.Schema(
    {
      PK: { type: String, hashKey: true, required: true },
      SK: { type: String, rangeKey: true, required: true },
      GSI1PK: { type: String, index: index('GSI1') },
      GSI1SK: String,
      GSI2PK: { type: String, index: index('GSI2') },
      GSI2SK: String,
      Type: { type: String, default: 'Workstream', forceDefault: true },
      id: { type: String, required: true },
      accountId: { type: String, required: true },
      enterpriseId: String,
      name: { type: String, required: true },
      description: String,
    },
    { timestamps: { createdAt: { createdAt: iso }, updatedAt: { updatedAt: iso } } },
  )
  const Workstream = dynamoose.model('Workstream', schema)
  // A model works once it belongs to a table.
  new dynamoose.Table(place.table, [Workstream], { create: false, update: false, waitForActive: false })
  const present = new dynamoose.Condition().attribute('PK').exists()
  return {
    get: (id) => Workstream.get(keyOf(id)),
    create: (item) => Workstream.create(storedItem(item)),
    join: (id, enterpriseId) =>
      Workstream.update(keyOf(id), { enterpriseId, GSI2PK: `ENTERPRISE#${enterpriseId}` }, { condition: present, return: 'item' }),
    leave: (id) => Workstream.update(keyOf(id), { $REMOVE: ['enterpriseId', 'GSI2PK', 'GSI2SK'] }, { condition: present, return: 'item' }),
    ofAccount: (accountId, limit) =>
      Workstream.query('PK').eq(`ACCOUNT#${accountId}`).where('SK').beginsWith('WORKSTREAM#').limit(limit).exec(),
    ofEnterprise: (enterpriseId, limit) =>
      Workstream.query('GSI2PK')
        .eq(`ENTERPRISE#${enterpriseId}`)
        .where('GSI2SK')
        .beginsWith('WORKSTREAM#')
        .using('GSI2')
        .limit(limit)
        .exec(),
    plan: (item) => Workstream.create(storedItem(item), { overwrite: false, return: 'request' }),
  }
}
