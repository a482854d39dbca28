import type { Route } from '../http/route.ts'
import { type DescribedRoute, openApiDocument } from '../openapi/document.ts'
import type { Describe } from '../openapi/operation.ts'

const describe: Describe = () => ({
  id: 'openapi',
  tag: 'service',
  summary: 'This document.',
  answers: [{ status: 200, summary: 'The document.', schema: { type: 'object', required: ['openapi', 'paths'] } }],
  errors: [],
})

/**
 * `GET /openapi.json`: the document of the API. It is made when it is first asked for.
 * @param all every other route of the service
 */
export function openApiRoute(all: readonly DescribedRoute[], version: string): Route {
  let text: string | undefined
  const route: Route = {
    ...{ method: 'GET', path: '/openapi.json', kind: 'catalogue', query: [], takesBody: false, describe },
    answer: async () => {
      text ??= JSON.stringify(openApiDocument([...all, route], version))
      return { status: 200, json: text }
    },
  }
  return route
}
