import type { ByFlows, Decider } from '@freehold/designs'
import type { Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Route } from '../http/route.ts'
import type { Describe } from '../openapi/operation.ts'
import { listOf, object, string } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** The optional attributes of a key. Without them the key has another form. */
function optionalParts(entity: Entity): readonly string[] {
  const { partition, sort } = entity.form.key
  const isSpared = (name: string) =>
    [partition, sort].every(({ alternatives }) => alternatives.some(({ placeholders }) => !placeholders.includes(name)))
  return keyPlaceholders(entity).filter(isSpared)
}

function listingOfEntity(entity: Entity, byFlows: ByFlows = {}) {
  const optional = optionalParts(entity)
  return {
    name: entity.name,
    key: keyPlaceholders(entity),
    ...(optional.length === 0 ? {} : { optional }),
    ...(entity.name in byFlows ? { writtenBy: 'flows' } : {}),
  }
}

/** The entities, access patterns, questions and flows of one design, by name. */
function listingOf(name: string, { module, table }: Served, decider: Decider | undefined) {
  const { entities, form } = table.design
  return {
    name,
    summary: module.summary,
    questions: decider?.fields ?? {},
    ...(decider?.optionalFields === undefined ? {} : { optionalFields: decider.optionalFields }),
    entities: Object.values(entities).map((entity) => listingOfEntity(entity, module.flows?.byFlows)),
    patterns: [...form.patterns.values()].map(({ name: pattern, parameters }) => ({
      name: pattern,
      parameters: parameters.map(({ name: parameter, isRequired }) => ({ name: parameter, required: isRequired })),
    })),
    flows: module.flows?.describe(table.design) ?? [],
  }
}

const names = listOf(string)
const anything = listOf({ type: 'object' })

const describe: Describe = () => ({
  id: 'catalogue',
  tag: 'service',
  summary: 'Every design with its questions, entities, access patterns and flows.',
  answers: [
    {
      status: 200,
      summary: 'The catalogue.',
      schema: object({
        designs: listOf(
          object(
            {
              ...{ name: string, summary: string, entities: anything, patterns: anything, flows: anything },
              questions: { type: 'object', additionalProperties: names },
            },
            { optionalFields: names },
          ),
        ),
      }),
    },
  ],
  errors: [],
})

/** `GET /v1`: the catalogue. It is built once, and a caller that is limited to designs is told of these. */
export function catalogueRoute(all: readonly (readonly [name: string, served: Served, decider: Decider | undefined])[]): Route {
  const designs = all.map(([name, served, decider]) => listingOf(name, served, decider))
  return {
    method: 'GET',
    path: '/v1',
    kind: 'catalogue',
    query: [],
    takesBody: false,
    describe,
    answer: async ({ caller: { designs: own } }) => ({
      status: 200,
      body: { designs: own === undefined ? designs : designs.filter((each) => own.includes(each.name)) },
    }),
  }
}
