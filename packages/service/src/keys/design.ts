import { design, entity, get, mirror, query, stamp, text, ulid, verbatim } from '@freehold/table'

/** One API key. Its own text is known only to whoever was given it; here lies what recognises it. */
export const ApiKey = entity('ApiKey', {
  attributes: {
    /** The public half of the key, which names it wherever it is listed or revoked. */
    keyId: ulid().made(),
    name: text({ max: 200 }),
    secretHash: verbatim().secret(),
    createdAt: stamp.onCreate(),
  },
  key: ['API_KEY#{keyId}', 'META'],
  fixed: ['secretHash'],
})

/** Lists the keys; a key is looked up in its own partition, so that no partition takes the requests of all of them. */
export const ApiKeyEntry = mirror('ApiKeyEntry', ApiKey, ['DIRECTORY#API_KEY', 'API_KEY#{keyId}'], ['name', 'createdAt'])

/** Says that the first start has made its key, so that no later one does, even after every key was revoked. */
export const FirstKey = entity('FirstKey', {
  attributes: { keyId: ulid(), createdAt: stamp.onCreate() },
  key: ['FIRST_KEY', 'FIRST_KEY'],
  appendOnly: true,
})

/** The service's own small table. */
export const serviceDesign = design({
  name: 'service',
  table: 'freehold_service',
  noIndexes: true,
  entities: { ApiKey, ApiKeyEntry, FirstKey },
  patterns: { apiKey: get(ApiKey), firstKey: get(FirstKey), apiKeys: query('DIRECTORY#API_KEY').returns(ApiKeyEntry) },
})
