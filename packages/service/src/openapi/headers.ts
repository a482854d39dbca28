import type { JsonSchema } from '@freehold/table/publish'
import type { AnswerHeader, RequestHeader } from './operation.ts'

const string: JsonSchema = { type: 'string' }

export const requestHeaders: Readonly<Record<RequestHeader, JsonSchema>> = {
  'If-None-Match': {
    // Text that is no tag is the tag of nothing, and is not refused.
    ...{ name: 'If-None-Match', in: 'header', schema: string },
    description: 'The ETags that the caller has, or `*` for any. One of them answers 304.',
  },
  'Idempotency-Key': {
    ...{ name: 'Idempotency-Key', in: 'header', schema: { ...string, pattern: '^[!-~]{1,255}$' } },
    description: 'With it the same request may be sent again for a day, and has one effect. Another request with it is refused.',
  },
  'Subject-Token': {
    ...{ name: 'Subject-Token', in: 'header', schema: string },
    description: 'The token of the person for whom an application calls, of a configured issuer.',
  },
  'X-Request-ID': {
    ...{ name: 'X-Request-ID', in: 'header', schema: { ...string, maxLength: 256 } },
    description: 'An identifier of the request, which the answer has, too.',
  },
}

export const answerHeaders: Readonly<Record<AnswerHeader, JsonSchema>> = {
  ETag: {
    schema: { ...string, pattern: '^"[0-9A-Za-z_-]{1,40}"$' },
    description:
      'The entity tag. That of an item is its version, in quotation marks. `If-Match` may name it in place of `version`: another one answers 412.',
  },
  Location: { schema: { ...string, format: 'uri-reference' }, description: 'Where the item is, relative to the request.' },
  Link: { schema: string, description: 'The next page, with rel="next", relative to the request.' },
  'Idempotency-Replayed': { schema: { type: 'string', const: 'true' }, description: 'Present in the answer to a repeat.' },
}

const retryAfter: JsonSchema = { schema: { type: 'string', pattern: '^[0-9]+$' }, description: 'Seconds to wait, if the code is Busy.' }
const challenge: JsonSchema = { schema: string, description: 'The way to say who asks, with 401: `Bearer`.' }

export const headersOfProblems: JsonSchema = { 'WWW-Authenticate': challenge, 'Retry-After': retryAfter }
