import { recentlyUsed } from '@freehold/designs'
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

/** Few keys are limited to different designs. A document has up to a megabyte. */
const texts_max = 16

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
 * `GET /openapi.json`: the document of the API, with the designs that its caller may use. It is made when it is first asked for.
 * @param all every other route of the service
 */
export function openApiRoute(all: readonly DescribedRoute[], { designs, version, isOpen, examples }: ToldService): Route {
  const made = recentlyUsed<string>(texts_max)
  const route: Route = {
    ...{ method: 'GET', path: '/openapi.json', kind: 'catalogue', query: ['design'], takesBody: false },
    describe: () => ({ ...told, ...(isOpen ? { isOpen } : {}) }),
    answer: async ({ query, caller }) => {
      // To a caller that is limited to designs it is as if there were no others.
      const shown = caller.designs === undefined ? designs : designs.filter((name) => caller.designs?.includes(name))
      const design = query.get('design')
      if (design !== undefined && !shown.includes(design))
        throw new FreeholdError('UnknownName', `The design ${design} is not served here.`, { name: design })
      const named = design === undefined ? shown : [design]
      const isAsked = ({ design: of }: DescribedRoute) => of === undefined || named.includes(of)
      const text = made.get(named.join()) ?? JSON.stringify(openApiDocument([route, ...all.filter(isAsked)], version, examples))
      made.set(named.join(), text)
      return { status: 200, text }
    },
  }
  return route
}
