import { type Awaitable, invalidInput, whenThere } from '@freehold/table/runtime'
import { isForm } from './form-body.ts'
import { onConditions } from './if-match.ts'
import { isJson, parseBody } from './json-body.ts'
import { problem } from './problem.ts'
import { parseQuery } from './query-string.ts'
import type { Answer, Asked, Route } from './route.ts'
import type { ServiceRequest } from './service-request.ts'

/** The bounds of one request. */
export interface RequestLimits {
  readonly body_bytes_max: number
  readonly query_bytes_max: number
}

const nothing: Readonly<Record<string, unknown>> = {}

function notJson(): Answer {
  return problem('InvalidInput', 'The body must be JSON in UTF-8, uncompressed: send it with Content-Type: application/json.', {
    status: 415,
  })
}

/** Checks the form of a request, and answers it. Throws `FreeholdError` for an invalid form, at once if the body is there. */
export function answerRoute(
  { method, query: names, takesAnyQuery, takesBody, takesForm, parse = parseBody, answer }: Route,
  request: ServiceRequest,
  { body_bytes_max, query_bytes_max }: RequestLimits,
  { origin, caller, acting }: Pick<Asked, 'origin' | 'caller' | 'acting'>,
): Awaitable<Answer> {
  const { headers } = request
  const query = parseQuery(request.search, takesAnyQuery ? undefined : names, query_bytes_max)
  const isFit = takesForm === true ? isForm : isJson
  if (takesBody && headers.get('content-type') !== null && !isFit(headers)) return notJson()
  return whenThere(request.readBody(body_bytes_max), (bytes) => {
    const hasBody = bytes.byteLength > 0
    if (hasBody && !takesBody)
      throw invalidInput('The request', [{ path: [], message: 'takes no body: name the item in the query string' }])
    if (hasBody && !isFit(headers)) return notJson()
    const body = hasBody ? parse(bytes) : nothing
    const ifMatch = headers.get('if-match') ?? undefined
    const idempotencyKey = headers.get('idempotency-key') ?? undefined
    const asked: Asked = { query, body, ifMatch, headers, idempotencyKey, origin, caller, acting }
    const answered = answer(asked)
    if (method !== 'GET') return answered
    return whenThere(answered, (given) => onConditions(given, ifMatch, headers.get('if-none-match') ?? undefined))
  })
}
