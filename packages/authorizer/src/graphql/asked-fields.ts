import type { ArgumentNode, DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode, ValueNode } from 'graphql'
// The parser alone: the index of the package would load its schemas and its executor, too.
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import { valueFromASTUntyped } from 'graphql/utilities/valueFromASTUntyped.js'
import type { AskedOperation } from '../deciding/authorizer-request.ts'
import { requestDenial } from '../denial.ts'

/** A top-level field of an operation, and what it is called with. */
export interface AskedField {
  /** With its type: `Mutation.closeTicket`. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

const fields_max = 50
const tokens_max = 10_000
const types = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

const malformed = (message: string) => requestDenial('QueryMalformed', message)

function documentOf(query: string): DocumentNode {
  try {
    return parse(query, { noLocation: true, maxTokens: tokens_max })
  } catch {
    throw malformed('The query is no GraphQL, or is too long.')
  }
}

/** The operation that will be run: GraphQL, section 6.1. */
function operationOf({ definitions }: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)
  const named = name === undefined ? operations : operations.filter((each) => each.name?.value === name)
  const [operation, another] = named
  if (operation === undefined || another !== undefined) throw malformed('The query does not have one operation of that name.')
  return operation
}

/**
 * Refuses what is given twice, as GraphQL's validation does (sections 5.4.2, 5.6.3 and 5.8.1). Others might read the first of them, or the last.
 */
function once(what: string, names: readonly { readonly value: string }[]): void {
  if (new Set(names.map(({ value }) => value)).size < names.length) throw malformed(`The query has ${what} twice.`)
}

/** A literal as data, in which no field of an object stands twice. */
function dataOf(literal: ValueNode, variables?: Record<string, unknown>): unknown {
  const check = (node: ValueNode): void => {
    if (node.kind === Kind.LIST) for (const each of node.values) check(each)
    if (node.kind !== Kind.OBJECT) return
    once(
      'a field of an object',
      node.fields.map(({ name }) => name),
    )
    for (const { value } of node.fields) check(value)
  }
  check(literal)
  return valueFromASTUntyped(literal, variables)
}

/** The variables that the operation declares, with their defaults. Those that it does not declare have no value. */
function variablesOf({ variableDefinitions = [] }: OperationDefinitionNode, given: AskedOperation['variables'] = {}) {
  const variables: Record<string, unknown> = Object.create(null)
  once(
    'a variable',
    variableDefinitions.map(({ variable }) => variable.name),
  )
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value
    if (Object.hasOwn(given, name)) variables[name] = given[name]
    else if (defaultValue !== undefined) variables[name] = dataOf(defaultValue)
  }
  return variables
}

const argsOf = (nodes: readonly ArgumentNode[], variables: Record<string, unknown>): Readonly<Record<string, unknown>> => {
  once(
    'an argument',
    nodes.map(({ name }) => name),
  )
  return Object.fromEntries(nodes.map(({ name, value }) => [name.value, dataOf(value, variables)]))
}

/**
 * The top-level fields of an operation, also those within fragments. A field that `@skip` leaves out, or `@include` does, is asked for all the same: whether
 * it is run is for another to say.
 */
export function askedFields({ query, operationName, variables: given }: AskedOperation): readonly AskedField[] {
  const document = documentOf(query)
  const operation = operationOf(document, operationName)
  const variables = variablesOf(operation, given)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue
    if (fragments.has(definition.name.value)) throw malformed('The query has two fragments of one name.')
    fragments.set(definition.name.value, definition)
  }
  const fields: AskedField[] = []
  const spread = new Set<string>()
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, arguments: nodes = [] } = selection
        fields.push({ name: `${types[operation.operation]}.${name.value}`, args: argsOf(nodes, variables) })
        if (fields.length > fields_max) throw requestDenial('QueryTooLarge', `The query has more than ${fields_max} fields at its top.`)
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet)
      else {
        const name = selection.name.value
        const fragment = fragments.get(name)
        if (fragment === undefined) throw malformed('The query spreads a fragment that it lacks.')
        // Spread twice, it asks for the same.
        if (spread.has(name)) continue
        spread.add(name)
        visit(fragment.selectionSet)
      }
    }
  }
  visit(operation.selectionSet)
  return fields
}
