import { type ModuleProof, peopleOf, proveInTurns } from '@freehold/frame'
import type { Decider } from '@freehold/frame/decision'
import { describeInput } from '@freehold/frame/flow'
import { lockOf } from '@freehold/table/publish'
import { takeControls } from '../http/control.ts'
import type { Route } from '../http/route.ts'
import { valueOfText } from '../http/text-value.ts'
import type { ApiNames } from '../openapi/api-names.ts'
import { anyObject, saying } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'

/** A question that works on the sample of a design, for people who try it. */
export interface TriedQuestion {
  readonly title: string
  readonly design: string
  readonly asked: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The fields of each question, as far as they are declared. */
function questionsOf({ fields, optionalFields = [], declared }: Decider) {
  return Object.fromEntries(
    Object.entries(fields).map(([question, names]) => {
      const attributes = declared?.[question as keyof typeof declared]?.fields ?? {}
      const told = names.map((name) => {
        const attribute = attributes[name]
        return attribute === undefined ? { name, kind: 'text', required: !optionalFields.includes(name) } : describeInput(name, attribute)
      })
      return [question, told]
    }),
  )
}

/** `GET /v1/{design}/design`: the design in canonical form, the fields of its questions and its declared access, for whoever draws it. */
export function designRoute(
  names: ApiNames,
  { table, module }: Served,
  decider: Decider | undefined,
  tried: readonly TriedQuestion[],
): Route {
  const { design: name } = names
  let told: object | undefined
  let proof: Promise<ModuleProof> | undefined
  const people = peopleOf(module)
  return {
    ...{ method: 'GET', path: `/v1/${name}/design`, kind: 'catalogue', design: name, query: ['proofs'], takesBody: false },
    describe: (components) => ({
      ...{ id: names.operation('design'), tag: names.tag('design'), errors: [] },
      summary: 'The design in canonical form, the fields of its questions, and its declared access.',
      query: { proofs: { schema: { type: 'boolean' }, description: 'Also its proofs and its heat.' } },
      answers: [
        { status: 200, summary: 'The design.', schema: components.named('Design', () => saying(anyObject, 'A design, told as data.')) },
      ],
    }),
    answer: async ({ query }) => {
      const proofs = query.get('proofs')
      const { how } = takeControls(proofs === undefined ? {} : { proofs: valueOfText(proofs, 'boolean') }, ['proofs'])
      // It is the same for as long as the process runs. One that failed is tried again.
      if (how.proofs === true)
        proof ??= proveInTurns(module).catch((error: unknown) => {
          proof = undefined
          throw error
        })
      told ??= {
        form: lockOf(table.design),
        questions: decider === undefined ? {} : questionsOf(decider),
        ...(module.access === undefined ? {} : { access: module.access.outline }),
        ...(people === undefined ? {} : { people }),
        examples: tried.filter(({ design }) => design === name).map(({ title, asked, body }) => ({ title, asked, body })),
      }
      return { status: 200, body: how.proofs === true ? { ...told, proof: await proof } : told }
    },
  }
}
