import { FreeholdError, list, map, oneOf, text, ulid } from '@freehold/table'
import { attributeSchema, type JsonSchema, objectSchema } from '@freehold/table/publish'
import { invalidInput } from '@freehold/table/runtime'
import { notForCaller } from '../http/caller.ts'
import { refuseIdempotencyKey } from '../http/idempotency-key.ts'
import { entityTag, onCondition, refuseIfMatch, refuseIfNoneMatch, wantedVersions } from '../http/if-match.ts'
import { readBody } from '../http/read-body.ts'
import type { Asked, Route } from '../http/route.ts'
import type { QuestionToSave, SavedQuestions } from '../keys/saved-questions.ts'
import type { Components, Operation } from '../openapi/operation.ts'
import { anyObject, anyOf, flag, listOf, object, saying, string } from '../openapi/schemas.ts'

const path = '/v1/saved-questions'

const howToRepeat = 'After a lost answer, GET /v1/saved-questions tells whether this was done'

const input = {
  name: text({ max: 200 }).describe('Its name, for people.'),
  ask: oneOf('can', 'what', 'who', 'where').describe('Which question it is.'),
  question: map().describe('The fields of the question.'),
}
const code = text({ max: 200 })
const rows = list(map())
const expectWords = 'Of `can` the expected answer, or the code of the reason of a no; of a list its rows, each by some of its fields.'
const expectSchema = saying(
  anyOf(flag, attributeSchema(code, { side: 'given' }), listOf(attributeSchema(map(), { side: 'given' }))),
  expectWords,
)

/** A body as what is saved. Throws `InvalidInput`. */
function readSaved({ expect, ...others }: Asked['body']): QuestionToSave {
  // The attributes describe these types.
  const read = readBody('The saved question', input, others) as Omit<QuestionToSave, 'expect'>
  if (read.ask === 'can' && typeof expect === 'boolean') return { ...read, expect }
  // The types of JSON nest without an end, so that the compiler is not asked for those of both at once.
  const schema: { safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown } } = (read.ask === 'can' ? code : rows)
    .schema
  const { success, data } = schema.safeParse(expect)
  // The attribute has read it.
  if (success && data !== '') return { ...read, expect: data as QuestionToSave['expect'] }
  const message = read.ask === 'can' ? 'is not true, false or the code of a reason' : 'is not a list of rows'
  throw invalidInput('The saved question', [{ path: ['expect'], message }])
}

const time: JsonSchema = { type: 'string', format: 'date-time' }
const entry = (components: Components) =>
  components.named('SavedQuestion', () =>
    saying(
      object({
        questionId: saying(string, 'Its id.'),
        version: saying({ type: 'integer', minimum: 0 }, 'Its version, by which it is replaced.'),
        name: saying(string, 'Its name, for people.'),
        ask: saying({ type: 'string', enum: ['can', 'what', 'who', 'where'] }, 'Which question it is.'),
        question: saying(anyObject, 'The fields of the question.'),
        expect: saying(anyOf(flag, string, listOf(anyObject)), expectWords),
        savedBy: saying(string, 'The key that saved it last.'),
        savedAt: saying(time, 'When that was.'),
      }),
      'A question of a design with its expected answer.',
    ),
  )
const body = (components: Components) =>
  components.named('QuestionToSave', () => {
    const { properties, required } = objectSchema(input, { side: 'given' })
    const all = { ...Object(properties), expect: expectSchema }
    return saying(
      { ...object(all), required: [...(Array.isArray(required) ? required : []), 'expect'] },
      'A question with its expected answer.',
    )
  })

const design = { schema: string, required: true, description: 'One of the served designs, which `GET /v1` lists.' }
const named = {
  design,
  questionId: { schema: attributeSchema(ulid(), { side: 'given' }), required: true, description: 'The id of the saved question.' },
  version: {
    schema: { type: 'integer', minimum: 0 },
    description: 'The version that the question must have. `If-Match` says the same. Without both any version will do.',
  },
}
const ofOne = ['InvalidInput', 'UnknownName', 'NotFound', 'VersionConflict', ['VersionConflict', 412]] as const
const told = (
  id: string,
  summary: string,
  more: (components: Components) => Pick<Operation, 'answers' | 'errors'> & Partial<Operation>,
) => {
  return (components: Components): Operation => ({ id: `service.${id}`, tag: 'service', summary, ...more(components) })
}

/**
 * The routes of saved questions, which lie beside the keys. They name users of every tenant: a caller that is limited to one does not see them.
 * @param designs the names of those that are served
 */
export function savedQuestionRoutes(saved: SavedQuestions, designs: ReadonlySet<string>): Route[] {
  const designOf = ({ query, caller }: Asked): string => {
    const name = query.get('design')
    if (name === undefined) throw invalidInput('The request', [{ path: ['design'], message: 'is missing' }])
    // To a caller that is limited to designs it is as if there were no others.
    if (caller.designs?.includes(name) === false) throw notForCaller()
    if (!designs.has(name)) throw new FreeholdError('UnknownName', `The design ${name} is not served here.`, { name })
    return name
  }
  const idOf = ({ query }: Asked) => query.get('questionId') ?? ''
  const by = ({ origin }: Asked) => `key ${origin.key}`
  /** A write of one that is there. If the request names a version, it must have that. */
  const changing = (asked: Asked, write: Parameters<typeof onCondition>[2]) => {
    refuseIfNoneMatch(asked.headers)
    refuseIdempotencyKey(asked, howToRepeat)
    return onCondition(asked.ifMatch, wantedVersions(asked.ifMatch, asked.query.get('version')), write)
  }
  return [
    {
      ...{ method: 'GET', path, kind: 'saved', query: ['design'], takesBody: false },
      describe: told('listSavedQuestions', 'The saved questions of a design, the oldest first.', (components) => ({
        query: { design },
        answers: [
          {
            status: 200,
            summary: 'The saved questions.',
            schema: components.named('SavedQuestions', () =>
              saying(object({ questions: saying(listOf(entry(components)), 'The saved questions.') }), 'The saved questions of a design.'),
            ),
          },
        ],
        errors: ['InvalidInput', 'UnknownName'],
      })),
      answer: async (asked) => ({ status: 200, body: { questions: await saved.list(designOf(asked)) } }),
    },
    {
      ...{ method: 'POST', path, kind: 'save', query: ['design'], takesBody: true },
      describe: told('saveQuestion', 'Saves a question of a design with its expected answer.', (components) => ({
        query: { design },
        body: body(components),
        answers: [{ status: 201, summary: 'It is saved.', schema: entry(components), headers: ['ETag'] }],
        errors: ['InvalidInput', 'UnknownName'],
      })),
      answer: async (asked) => {
        refuseIfMatch(asked)
        refuseIdempotencyKey(asked, howToRepeat)
        const made = await saved.save(designOf(asked), readSaved(asked.body), by(asked))
        return { status: 201, body: made, headers: entityTag(made) }
      },
    },
    {
      ...{ method: 'PATCH', path, kind: 'save', query: ['design', 'questionId', 'version'], takesBody: true },
      describe: told('replaceSavedQuestion', 'Replaces a saved question by another.', (components) => ({
        query: named,
        body: body(components),
        answers: [{ status: 200, summary: 'It is replaced.', schema: entry(components), headers: ['ETag'] }],
        errors: ofOne,
      })),
      answer: (asked) =>
        changing(asked, async (version) => {
          const how = { version, savedBy: by(asked) }
          const made = await saved.replace(designOf(asked), idOf(asked), readSaved(asked.body), how)
          return { status: 200, body: made, headers: entityTag(made) }
        }),
    },
    {
      ...{ method: 'DELETE', path, kind: 'save', query: ['design', 'questionId', 'version'], takesBody: false },
      describe: told('removeSavedQuestion', 'Removes a saved question.', () => ({
        query: named,
        answers: [{ status: 204, summary: 'It is gone.' }],
        errors: ofOne,
      })),
      answer: (asked) =>
        changing(asked, async (version) => {
          await saved.remove(designOf(asked), idOf(asked), version)
          return { status: 204 }
        }),
    },
  ]
}
