import { FreeholdError } from '@freehold/table'
import type { Route } from '../http/route.ts'
import { type DescribedRoute, openApiDocument } from '../openapi/document.ts'
import type { Example, Operation } from '../openapi/operation.ts'

const told: Operation = {
  id: 'openapi',
  tag: 'service',
  summary: 'This document.',
  query: { design: { schema: { type: 'string' }, description: 'One design: only its routes, and those of the service as a whole.' } },
  answers: [{ status: 200, summary: 'The document.', schema: { type: 'object', required: ['openapi', 'paths'] } }],
  errors: ['InvalidInput', 'UnknownName'],
}

/** The design whose route a path is. Undefined for one of the service as a whole. */
function designOf(path: string, designs: readonly string[]): string | undefined {
  return designs.find((name) => path.split('/').includes(name))
}

/** What the document tells of the service as a whole. */
export interface ToldService {
  /** The names of the served designs. */
  readonly designs: readonly string[]
  readonly version: string
  /** It needs no key. */
  readonly isOpen: boolean
  /** Examples of bodies, by path. */
  readonly examples: ReadonlyMap<string, readonly Example[]>
}

/**
 * `GET /openapi.json`: the document of the API. It is made when it is first asked for.
 * @param all every other route of the service
 */
export function openApiRoute(all: readonly DescribedRoute[], { designs, version, isOpen, examples }: ToldService): Route {
  const made = new Map<string | undefined, string>()
  const route: Route = {
    ...{ method: 'GET', path: '/openapi.json', kind: 'catalogue', query: ['design'], takesBody: false },
    describe: () => ({ ...told, ...(isOpen ? { isOpen } : {}) }),
    answer: async ({ query }) => {
      const design = query.get('design')
      if (design !== undefined && !designs.includes(design))
        throw new FreeholdError('UnknownName', `The design ${design} is not served here.`, { name: design })
      const isAsked = ({ path }: DescribedRoute) => [undefined, design].includes(designOf(path, designs))
      const text =
        made.get(design) ??
        JSON.stringify(openApiDocument([route, ...(design === undefined ? all : all.filter(isAsked))], version, examples))
      made.set(design, text)
      return { status: 200, text }
    },
  }
  return route
}
