import { afterEach } from 'vitest'
import { temporaryFolder } from '../../../test/folders/temporary-folder.ts'
import { type Engine, type EngineOptions, openEngine } from '../src/index.ts'

const opened: Engine[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
})

/** The two kinds of engines. What holds for one holds for the other. */
export const kinds = [
  { kind: 'in memory', open: (options: EngineOptions = {}) => tracked({ memory: true, ...options }) },
  { kind: 'on disk', open: (options: EngineOptions = {}) => tracked({ path: temporaryFolder(), ...options }) },
] as const

/** An engine that is closed after the test. */
async function tracked(options: EngineOptions): Promise<Engine> {
  const engine = await openEngine(options)
  opened.push(engine)
  return engine
}

export const memoryEngine = (options: EngineOptions = {}): Promise<Engine> => kinds[0].open(options)

type Attribute = readonly [name: string, type: 'S' | 'N' | 'B']

export interface TableParts {
  readonly name?: string
  readonly key?: readonly Attribute[]
  readonly global?: Readonly<Record<string, readonly Attribute[]>>
  readonly local?: Readonly<Record<string, readonly Attribute[]>>
  readonly projection?: object
}

/** The input of CreateTable for a table that pays per request. */
export function tableInput({
  name = 'items',
  key = [
    ['pk', 'S'],
    ['sk', 'S'],
  ],
  global,
  local,
  projection,
}: TableParts = {}): object {
  const all = new Map([key, ...Object.values(global ?? {}), ...Object.values(local ?? {})].flat())
  const schema = (attributes: readonly Attribute[]): object[] =>
    attributes.map(([AttributeName], at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' }))
  const indexes = (of: TableParts['global']): object[] | undefined =>
    of &&
    Object.entries(of).map(([IndexName, attributes]) => ({
      IndexName,
      KeySchema: schema(attributes),
      Projection: projection ?? { ProjectionType: 'ALL' },
    }))
  return {
    TableName: name,
    AttributeDefinitions: [...all].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: schema(key),
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: indexes(global),
    LocalSecondaryIndexes: indexes(local),
  }
}

export interface Outcome {
  readonly Item?: Readonly<Record<string, unknown>>
  readonly Items?: readonly Readonly<Record<string, unknown>>[]
  readonly Attributes?: object
  readonly LastEvaluatedKey?: object
  readonly [member: string]: unknown
}

/** The output of a request, or `error` and `message` of its refusal. */
export async function outcome(engine: Pick<Engine, 'execute'>, operation: string, input: object): Promise<Outcome> {
  try {
    return { ...(await engine.execute(operation, input)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { name, message } = error
    const details = 'details' in error && typeof error.details === 'object' ? error.details : {}
    return { error: name, message, ...details }
  }
}
