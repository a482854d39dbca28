import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const texts = z.record(z.string(), z.string()).nullish().catch(undefined)

/** What is read of an event of Amazon API Gateway or AWS AppSync. What is not of its form counts as absent, and is denied where it is needed. */
export const eventForm = z.object({
  version: text,
  type: text,
  methodArn: text,
  routeArn: text,
  resource: text,
  routeKey: text,
  path: text,
  rawPath: text,
  httpMethod: text,
  pathParameters: texts,
  headers: texts,
  multiValueHeaders: z.record(z.string(), z.array(z.string())).nullish().catch(undefined),
  requestHeaders: texts,
  authorizationToken: text,
  requestContext: z
    .object({
      requestId: text,
      domainName: text,
      apiId: text,
      stage: text,
      http: z.object({ method: text }).optional().catch(undefined),
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

/** The values of the single segments of a route of the gateway, such as `/tickets/{id}`. A greedy one, `{proxy+}`, has several. */
export function segmentParameters(route: string | undefined, parameters: Event['pathParameters']): readonly string[] {
  const names = [...(route ?? '').matchAll(/\{([^{}+]+)\}/g)].flatMap(([, name]) => name ?? [])
  return names.flatMap((name) => parameters?.[name] ?? [])
}
