import { semantics } from '@freehold/frame/authzen'
import { type JsonSchema, nameWords, orNull } from '@freehold/table/publish'
import type { ApiNames } from './api-names.ts'
import type { Components, Describe, Operation, ToldAnswer } from './operation.ts'
import { anyObject, anyOf, flag, listOf, object, saying, string } from './schemas.ts'

/** Members that no specification names are ignored, so every object is open. */
const open = (required: Readonly<Record<string, JsonSchema>>, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  ...object(required, optional),
  additionalProperties: true,
})
const membersMax = 1000
const anything: JsonSchema = { type: ['object', 'null'], additionalProperties: true, maxProperties: membersMax }
const properties = { properties: saying(anything, 'Its attributes, as far as the design reads some.') }
const context = { context: saying(anything, 'The surroundings of the request, as far as the design reads some.') }

const type = saying(string, 'What it is: `user`, or a type of resource of the design.')
const id = saying(string, 'Its id.')
const entity = (components: Components, name: 'Subject' | 'Resource'): JsonSchema =>
  components.named(`Authzen${name}`, () => saying(open({ type, id }, properties), `The ${name.toLowerCase()} of a request.`))
const searched = (components: Components): JsonSchema =>
  components.named('AuthzenSearched', () => saying(open({ type }, properties), 'What is searched for: its type.'))
const action = (components: Components): JsonSchema =>
  components.named('AuthzenAction', () =>
    saying(open({ name: saying(string, 'The action, in the words of the design.') }, properties), 'The action.'),
  )
const page = (components: Components): JsonSchema =>
  components.named('AuthzenPage', () =>
    saying(
      open(
        {},
        {
          token: {
            type: ['string', 'null'],
            minLength: 1,
            description: 'The token of the page before, as it was given: any other text is refused.',
          },
          limit: {
            ...{ type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
            description: 'The largest number of results; 100 unless given.',
          },
          properties: saying(anything, 'Nothing of it is used.'),
        },
      ),
      'Which page is asked for.',
    ),
  )
const decision = (components: Components): JsonSchema =>
  components.named('AuthzenDecision', () =>
    saying(
      object(
        { decision: saying(flag, 'Whether the subject may.') },
        { context: saying(anyObject, 'An error of this evaluation; or its reasons, if `options.reasons` asks for them.') },
      ),
      'A decision.',
    ),
  )

const options = (components: Components): JsonSchema =>
  components.named('AuthzenOptions', () =>
    saying(
      open(
        {},
        {
          evaluations_semantic: orNull(
            components.named('AuthzenSemantic', () =>
              saying({ type: 'string', enum: semantics }, 'Which evaluations are told; `execute_all` unless given.'),
            ),
          ),
          reasons: { type: ['boolean', 'null'], description: 'The context of a denial says why, and which members were not used.' },
        },
      ),
      'How it is answered.',
    ),
  )
const optionsOf = (components: Components) => ({
  options: { anyOf: [options(components), { type: 'null' }], description: 'How it is answered.' },
})

const parts = (components: Components) => ({
  ...{ subject: entity(components, 'Subject'), action: action(components), resource: entity(components, 'Resource') },
})

function operation(
  names: ApiNames,
  name: string,
  summary: string,
  told: (components: Components) => Pick<Operation, 'body' | 'answers'>,
): Describe {
  return (components) => ({
    ...{ id: names.operation(`authzen.${name}`), tag: names.tag('AuthZEN'), summary },
    ...{ headers: ['X-Request-ID'], errors: ['InvalidCursor'] },
    ...told(components),
  })
}

const answer = (summary: string, schema: JsonSchema): readonly ToldAnswer[] => [{ status: 200, summary, schema }]

/** The operations of a design's decision point. Their schemas are those of the specification, the same for all designs. */
export function authzenOperations(names: ApiNames, evaluations_max: number) {
  const evaluation = (components: Components) =>
    components.named('AuthzenEvaluation', () =>
      saying(open(parts(components), { ...context, ...optionsOf(components) }), 'May this subject do this action on this resource?'),
    )
  const search = (kind: 'subject' | 'resource' | 'action', summary: string) => {
    const Kind = kind.charAt(0).toUpperCase() + kind.slice(1)
    return operation(names, `search${Kind}s`, summary, (components) => {
      const { action: told, ...entities } = parts(components)
      const asked = kind === 'action' ? entities : { ...entities, action: told, [kind]: searched(components) }
      const found = () =>
        kind === 'action'
          ? components.named('AuthzenFoundAction', () => saying(object({ name: saying(string, 'The action.') }), 'An action.'))
          : components.named('AuthzenFound', () => saying(object({ type, id }), 'A subject or a resource.'))
      const token = {
        next_token: saying(string, 'The token of the next page; empty on the last.'),
        count: { type: 'integer', description: 'The results of this page.' },
      }
      const more = {
        ...context,
        page: { anyOf: [page(components), { type: 'null' }], description: 'Which page is asked for.' },
      }
      return {
        body: components.named(`Authzen${Kind}Search`, () => saying(open(asked, more), summary)),
        answers: answer(
          'What was found.',
          components.named(`Authzen${Kind}Results`, () =>
            saying(
              object(
                { results: saying(listOf(found()), 'What was found.') },
                {
                  page: components.named('AuthzenNextPage', () => saying(object(token), 'Where the next page begins.')),
                  context: saying(anyObject, 'Why there are none.'),
                },
              ),
              'What was found.',
            ),
          ),
        ),
      }
    })
  }
  return {
    evaluation: operation(names, 'evaluate', 'May this subject do this action on this resource?', (components) => ({
      body: evaluation(components),
      answers: answer('The decision. A denial is one.', decision(components)),
    })),
    evaluations: operation(names, 'evaluateMany', 'Many evaluations, with defaults.', (components) => {
      const defaults = {
        subject: saying(anything, 'The subject of each evaluation that has none.'),
        action: saying(anything, 'The action of each evaluation that has none.'),
        resource: saying(anything, 'The resource of each evaluation that has none.'),
        ...context,
        ...optionsOf(components),
      }
      const evaluations = {
        type: 'array',
        minItems: 1,
        maxItems: evaluations_max,
        items: {},
        description: 'Each evaluation, beside the defaults.',
      }
      const none = {
        evaluations: { type: ['array', 'null'], maxItems: 0, items: {}, description: 'None.' },
        ...context,
        ...optionsOf(components),
      }
      return {
        // Without evaluations it is one, as above: the specification has both.
        body: components.named('AuthzenEvaluations', () =>
          saying(
            anyOf(
              components.named('AuthzenManyEvaluations', () => saying(open({ evaluations }, defaults), 'Many evaluations.')),
              components.named('AuthzenNoEvaluations', () => saying(open(parts(components), none), 'One evaluation.')),
            ),
            'Many evaluations, or one.',
          ),
        ),
        answers: answer(
          'The decisions, in their order.',
          components.named('AuthzenDecisions', () =>
            saying(
              anyOf(
                components.named('AuthzenManyDecisions', () =>
                  saying(
                    object({ evaluations: saying(listOf(decision(components)), 'The decisions, in the order of the evaluations.') }),
                    'Many decisions.',
                  ),
                ),
                decision(components),
              ),
              'The decisions; one without evaluations.',
            ),
          ),
        ),
      }
    }),
    search_subject: search('subject', 'Who may do this action on this resource?'),
    search_resource: search('resource', 'On which resources may this subject do this action?'),
    search_action: search('action', 'Which actions may this subject do on this resource?'),
  }
}

/** `search_subject_endpoint` as a sentence. */
const endpointWords = (name: string): string =>
  name.endsWith('_endpoint')
    ? `The address of the ${nameWords(name.replace(/_endpoint$/, ''))
        .slice(0, -1)
        .toLowerCase()}.`
    : 'The address of the decision point.'

/** The operation of a decision point's metadata. */
export const describeMetadata =
  (names: ApiNames, parameters: readonly string[]): Describe =>
  (components) => ({
    id: names.operation('authzen.metadata'),
    tag: names.tag('AuthZEN'),
    summary: 'The endpoints of the decision point.',
    answers: answer(
      'The metadata.',
      components.named('AuthzenMetadata', () =>
        saying(
          object(Object.fromEntries(parameters.map((name) => [name, saying({ ...string, format: 'uri' }, endpointWords(name))]))),
          'The endpoints of a decision point.',
        ),
      ),
    ),
    errors: [['UnknownName', 404], 'InvalidInput'],
    isOpen: true,
  })
