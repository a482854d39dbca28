import { invalid, invalidValues } from '../errors.ts'
import type { AttributeDefinition, KeySchemaElement, Projection, Throughput } from './definition.ts'

// The rules of CreateTable and UpdateTable that concern several members (API Reference, CreateTable; Developer Guide, "Quotas in Amazon
// DynamoDB": 20 global and 5 local secondary indexes a table, 100 projected attributes in all of them).

const global_max = 20
const local_max = 5
const projected_max = 100

export interface IndexInput {
  readonly IndexName: string
  readonly KeySchema: readonly KeySchemaElement[]
  readonly Projection: Partial<Projection>
  readonly ProvisionedThroughput?: Throughput
}

export interface DefinitionInput {
  readonly AttributeDefinitions: readonly AttributeDefinition[]
  readonly KeySchema: readonly KeySchemaElement[]
  readonly LocalSecondaryIndexes?: readonly IndexInput[]
  readonly GlobalSecondaryIndexes?: readonly IndexInput[]
}

/** @throws ServiceError for a definition that DynamoDB refuses */
export function checkDefinition(input: DefinitionInput): void {
  const { AttributeDefinitions: attributes, KeySchema: schema, LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = input
  const names = attributes.map(({ AttributeName }) => AttributeName)
  const defined = (keys: readonly KeySchemaElement[]): boolean => keys.every(({ AttributeName }) => names.includes(AttributeName))
  if (!defined(schema) || repeats(schema.map(({ AttributeName }) => AttributeName))) {
    throw invalid('Invalid KeySchema: Some index key attribute have no definition')
  }
  checkSchema(schema)
  if (repeats(names)) throw invalidValues('Duplicate AttributeName in AttributeDefinitions')
  for (const [given, kind] of [
    [local, 'Local'],
    [global, 'Global'],
  ] as const) {
    if (given?.length === 0) throw invalidValues(`List of ${kind}SecondaryIndexes is empty`)
  }
  const indexes = [...(local ?? []), ...(global ?? [])]
  const indexNames = indexes.map(({ IndexName }) => IndexName)
  const [repeated] = indexNames.filter((name, at) => indexNames.indexOf(name) !== at)
  for (const index of indexes) {
    if (!defined(index.KeySchema)) throw undefinedKeys(index, names)
    checkSchema(index.KeySchema, index.IndexName)
    checkProjection(index)
  }
  if (repeated !== undefined) throw invalidValues(`Duplicate index name: ${repeated}`)
  for (const index of local ?? []) checkLocal(index, schema)
  if ((local?.length ?? 0) > local_max) throw invalidValues(`Number of LocalSecondaryIndexes exceeds per-table limit of ${local_max}`)
  if ((global?.length ?? 0) > global_max) throw invalidValues(`GlobalSecondaryIndex count exceeds the per-table limit of ${global_max}`)
  if (indexes.reduce((sum, { Projection: { NonKeyAttributes: others = [] } }) => sum + others.length, 0) > projected_max) {
    throw invalidValues(`Number of NonKeyAttributes exceeds the limit of ${projected_max} of all indexes`)
  }
  checkAllUsed(names, [schema, ...indexes.map(({ KeySchema }) => KeySchema)])
}

function checkAllUsed(names: readonly string[], schemas: readonly (readonly KeySchemaElement[])[]): void {
  const used = new Set(schemas.flat().map(({ AttributeName }) => AttributeName))
  if (names.every((name) => used.has(name))) return
  throw invalidValues('Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions')
}

function checkSchema([first, second]: readonly KeySchemaElement[], index?: string): void {
  const which = index === undefined ? '' : ` for index: ${index}`
  if (first?.KeyType !== 'HASH') throw invalid(`Invalid KeySchema: The first KeySchemaElement is not a HASH key type${which}`)
  if (second !== undefined && second.KeyType !== 'RANGE')
    throw invalid(`Invalid KeySchema: The second KeySchemaElement is not a RANGE key type${which}`)
  if (first.AttributeName === second?.AttributeName) {
    throw invalid(`Both the Hash Key and the Range Key element in the KeySchema have the same name${which}`)
  }
}

function checkLocal({ IndexName: name, KeySchema: keys }: IndexInput, schema: readonly KeySchemaElement[]): void {
  if (schema.length < 2) {
    throw invalidValues('Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex')
  }
  if (keys.length < 2) throw invalidValues(`Index KeySchema does not have a range key for index: ${name}`)
  if (keys[0]?.AttributeName !== schema[0]?.AttributeName) {
    throw invalidValues(
      `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${name}. index hash key: ${keys[0]?.AttributeName}, table hash key: ${schema[0]?.AttributeName}`,
    )
  }
}

/** @throws ServiceError for a projection that is incomplete or contradicts itself */
function checkProjection({ Projection: { ProjectionType: type, NonKeyAttributes: others } }: IndexInput): void {
  if (type === undefined) throw invalidValues('Unknown ProjectionType: null')
  if (type !== 'INCLUDE' && others !== undefined) {
    throw invalidValues(`ProjectionType is ${type}, but NonKeyAttributes is specified`)
  }
  if (type === 'INCLUDE' && others === undefined) throw invalidValues('ProjectionType is INCLUDE, but NonKeyAttributes is not specified')
  if (others !== undefined && repeats(others)) throw invalidValues('Duplicate attribute in NonKeyAttributes')
}

function undefinedKeys({ KeySchema: keys }: IndexInput, names: readonly string[]): Error {
  const shown = keys.map(({ AttributeName }) => AttributeName).join(', ')
  return invalidValues(
    `Some index key attributes are not defined in AttributeDefinitions. Keys: [${shown}], AttributeDefinitions: [${names.join(', ')}]`,
  )
}

function repeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}
