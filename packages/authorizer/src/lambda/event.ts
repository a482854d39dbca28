import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const texts = z.record(z.string(), z.string()).nullish().catch(undefined)

/** What is read of an event of Amazon API Gateway or AWS AppSync, besides its route. What is not of its form counts as absent, and is denied where it is needed. */
export const eventForm = z.object({
  version: text,
  type: text,
  methodArn: text,
  routeArn: text,
  headers: texts,
  multiValueHeaders: z.record(z.string(), z.array(z.string())).nullish().catch(undefined),
  requestHeaders: texts,
  authorizationToken: text,
  requestContext: z
    .object({
      requestId: text,
      domainName: text,
      eventType: text,
      routeKey: text,
      stage: text,
      queryString: text,
      operationName: z.string().nullish().catch(undefined),
      variables: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    })
    .catch({})
    .default({}),
})

export type Event = z.infer<typeof eventForm>

/** Reads an event. An event that is none has nothing. */
export const readEvent = (event: unknown): Event => eventForm.catch({ requestContext: {} }).parse(event)
