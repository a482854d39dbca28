import type { Decider } from '@freehold/frame/decision'
import type { ByFlows } from '@freehold/frame/flow'
import type { Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import type { Route } from '../http/route.ts'
import type { Describe } from '../openapi/operation.ts'
import { anyObject, listOf, object, saying, string } from '../openapi/schemas.ts'
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

const names = (words: string) => saying(listOf(string), words)
const anything = (words: string) => saying(listOf(anyObject), words)

const describe: Describe = (components) => ({
  id: 'service.catalogue',
  tag: 'service',
  summary: 'Every design with its questions, entities, access patterns and flows.',
  answers: [
    {
      status: 200,
      summary: 'The catalogue.',
      schema: components.named('Catalogue', () =>
        saying(
          object({
            designs: saying(
              listOf(
                object(
                  {
                    name: saying(string, 'The name of the design, as it is in paths.'),
                    summary: saying(string, 'Who it is for.'),
                    entities: anything('Its entities, each with the attributes of its key.'),
                    patterns: anything('Its access patterns, each with its parameters.'),
                    flows: anything('Its flows, each with its inputs and the permission that it needs.'),
                    questions: {
                      type: 'object',
                      additionalProperties: listOf(string),
                      description: 'The fields of each question.',
                    },
                  },
                  { optionalFields: names('The fields that a question may be without.') },
                ),
              ),
              'The designs.',
            ),
          }),
          'What is served.',
        ),
      ),
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
