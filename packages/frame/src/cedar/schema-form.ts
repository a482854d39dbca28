import { invalidInput } from '@freehold/table/runtime'
import { loadCedar } from './cedar.ts'

/** A schema of Cedar's own form as JSON text, which policy stores take. Throws `InvalidInput` for a schema that does not parse. */
export async function schemaToJson(schema: string): Promise<string> {
  const answer = (await loadCedar()).schemaToJson(schema)
  if (answer.type === 'success') return JSON.stringify(answer.json)
  throw invalidInput(
    'The schema',
    answer.errors.map(({ message }) => ({ path: [], message })),
  )
}

/** The same schema in Cedar's own form. Throws `InvalidInput` for JSON that is no schema. */
export async function schemaFromJson(text: string): Promise<string> {
  const cedar = await loadCedar()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  const answer = typeof parsed === 'object' && parsed !== null ? cedar.schemaToText(parsed) : undefined
  if (answer?.type === 'success') return answer.text
  const [error] = answer?.errors ?? []
  throw invalidInput('The schema', [{ path: [], message: error?.message ?? 'is no JSON of a schema' }])
}
