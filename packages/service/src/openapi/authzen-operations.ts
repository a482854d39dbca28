import { semantics } from '@freehold/designs/authzen'
import { type JsonSchema, orNull } from '@freehold/table/publish'
import type { Components, Describe, Operation, ToldAnswer } from './operation.ts'
import { anyOf, flag, listOf, object, string } from './schemas.ts'

const tagOf = (design: string) => `${design}: AuthZEN`

/** Members that no specification names are ignored, so every object is open. */
const open = (required: Readonly<Record<string, JsonSchema>>, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  ...object(required, optional),
  additionalProperties: true,
})
const anything: JsonSchema = { type: ['object', 'null'] }
const properties = { properties: anything }

const entity = (components: Components, name: string): JsonSchema =>
  components.named(`AuthZEN.${name}`, () => open({ type: string, id: string }, properties))
const searched = open({ type: string }, properties)
const action = (components: Components): JsonSchema => components.named('AuthZEN.Action', () => open({ name: string }, properties))
const page = (components: Components): JsonSchema =>
  components.named('AuthZEN.Page', () => ({
    ...open(
      {},
      {
        token: { type: ['string', 'null'], minLength: 1 },
        limit: { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        properties: anything,
      },
    ),
    description: 'The token of the page before; the largest number of results, 100 unless given.',
  }))
const decision = (components: Components): JsonSchema =>
  components.named('AuthZEN.Decision', () => object({ decision: flag }, { context: { type: 'object' } }))

const parts = (components: Components) => ({
  ...{ subject: entity(components, 'Subject'), action: action(components), resource: entity(components, 'Resource') },
})

/** The errors of the specification. */
const common: Operation['errors'] = [['Denied', 401], 'InvalidInput', 'TooLarge', ['Unavailable', 500]]

function operation(
  design: string,
  name: string,
  summary: string,
  told: (components: Components) => Pick<Operation, 'body' | 'answers'>,
): Describe {
  return (components) => ({
    ...{ id: `${design}.authzen.${name}`, tag: tagOf(design), summary, headers: ['X-Request-ID'], common, errors: ['InvalidCursor'] },
    ...told(components),
  })
}

const answer = (summary: string, schema: JsonSchema): readonly ToldAnswer[] => [{ status: 200, summary, schema }]

/** The operations of a design's decision point. */
export function authzenOperations(design: string, evaluations_max: number) {
  const search = (kind: 'subject' | 'resource' | 'action', summary: string) =>
    operation(design, `search.${kind}`, summary, (components) => {
      const { action: told, ...entities } = parts(components)
      const asked = kind === 'action' ? entities : { ...entities, action: told, [kind]: searched }
      const found = kind === 'action' ? object({ name: string }) : object({ type: string, id: string })
      return {
        body: open(asked, { context: anything, page: orNull(page(components)) }),
        answers: answer('What was found.', object({ results: listOf(found) }, { page: { type: 'object' }, context: { type: 'object' } })),
      }
    })
  return {
    evaluation: operation(design, 'evaluation', 'May this subject do this action on this resource?', (components) => ({
      body: open(parts(components), { context: anything }),
      answers: answer('The decision. A denial is one.', decision(components)),
    })),
    evaluations: operation(design, 'evaluations', 'Many evaluations, with defaults.', (components) => ({
      body: anyOf(
        open({ evaluations: { type: 'array', minItems: 1, maxItems: evaluations_max } }, { ...defaults, options }),
        // Without evaluations it is one, as above.
        open(parts(components), { context: anything, evaluations: { type: ['array', 'null'], maxItems: 0 }, options }),
      ),
      answers: answer('The decisions, in their order.', {
        anyOf: [object({ evaluations: listOf(decision(components)) }), decision(components)],
      }),
    })),
    search_subject: search('subject', 'Who may do this action on this resource?'),
    search_resource: search('resource', 'On which resources may this subject do this action?'),
    search_action: search('action', 'Which actions may this subject do on this resource?'),
  }
}

const options: JsonSchema = {
  ...{ type: ['object', 'null'], additionalProperties: true },
  properties: { evaluations_semantic: orNull({ type: 'string', enum: semantics }) },
}
const defaults = { subject: anything, action: anything, resource: anything, context: anything }

/** The operation of a decision point's metadata. */
export const describeMetadata =
  (design: string, parameters: readonly string[]): Describe =>
  () => ({
    id: `${design}.authzen.metadata`,
    tag: tagOf(design),
    summary: 'The endpoints of the decision point.',
    answers: answer('The metadata.', object(Object.fromEntries(parameters.map((name) => [name, string])))),
    errors: [['UnknownName', 404], 'InvalidInput'],
    isOpen: true,
  })
