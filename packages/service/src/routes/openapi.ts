import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { recentlyUsed } from '@freehold/frame/decision'
import { FreeholdError } from '@freehold/table'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type DescribedRoute, openApiDocument, type ToldDocument } from '../openapi/document.ts'
import { type Operation, unchanged } from '../openapi/operation.ts'
import { anyObject } from '../openapi/schemas.ts'

/** Few keys are limited to different designs. A document has some hundred kilobytes. */
const documents_max = 16

/** What the documents tell of the service as a whole. */
export interface ToldService extends ToldDocument {
  /** The names of the served designs. */
  readonly designs: readonly string[]
  /** They need no key. */
  readonly isOpen: boolean
}

type Coding = 'br' | 'gzip'
const compress: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  // The best quality takes seconds, and spares a few kilobytes.
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (text) => promisify(gzip)(text),
}

/** The first coding of ours that a client takes (RFC 9110, section 12.5.3). Undefined for one that takes none. */
function codingOf(accepted: string | null): Coding | undefined {
  const taken = (accepted ?? '')
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*q=/i))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name = '']) => name.toLowerCase())
  return (['br', 'gzip'] as const).find((each) => taken.includes(each))
}

/** A document as it is sent: made when it is first asked for, and each coding of it, too. */
function sentDocument(text: string, isOpen: boolean): (accepted: string | null) => Promise<Answer> {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  const coded = new Map<Coding, Promise<Buffer>>()
  // A cache may keep it, and asks each time whether it still holds.
  const headers = { 'Cache-Control': `${isOpen ? 'public' : 'private'}, no-cache`, Vary: 'Accept-Encoding' }
  return async (accepted) => {
    const coding = codingOf(accepted)
    if (coding === undefined) return { status: 200, text, headers: { ...headers, ETag: `"${tag}"` } }
    const bytes = coded.get(coding) ?? compress[coding](text)
    coded.set(coding, bytes)
    return { status: 200, bytes: await bytes, headers: { ...headers, ETag: `"${tag}-${coding}"`, 'Content-Encoding': coding } }
  }
}

const answers: Operation['answers'] = [{ status: 200, summary: 'The document.', schema: anyObject, headers: ['ETag'] }, unchanged]

/**
 * `GET /openapi.json`: the document of the API, with the designs that its caller may use; and `GET /openapi/{design}.json`, that of one design
 * alone, for a client of it: without the routes of the service itself, and with each access pattern once.
 * @param all every other route of the service
 */
export function openApiRoutes(all: readonly DescribedRoute[], { designs, isOpen, ...told }: ToldService): Route[] {
  const made = recentlyUsed<ReturnType<typeof sentDocument>>(documents_max)
  // Who reads the document in a viewer has it.
  const open = { isHidden: true, ...(isOpen ? { isOpen } : {}) } as const
  const documentOf = (named: readonly string[], { headers }: Asked, isWhole: boolean) => {
    const isAsked = ({ design: of, isTwin }: DescribedRoute) =>
      isWhole ? of === undefined || named.includes(of) : of !== undefined && named.includes(of) && isTwin !== true
    const document = () => openApiDocument([...routes, ...all].filter(isAsked), told)
    const key = `${isWhole} ${named.join()}`
    const sent = made.get(key) ?? sentDocument(JSON.stringify(document()), isOpen)
    made.set(key, sent)
    return sent(headers.get('accept-encoding'))
  }
  const common = { method: 'GET', kind: 'catalogue', takesBody: false } as const
  const whole: Route = {
    ...{ ...common, path: '/openapi.json', query: ['design'] },
    describe: () => ({
      ...{ id: 'service.openapi', tag: 'service', summary: 'The document of the API.', headers: ['If-None-Match'], answers, ...open },
      query: {
        design: {
          schema: { type: 'string' },
          description: 'One of the served designs, which `GET /v1` lists: only its routes, and those of the service as a whole.',
        },
      },
      errors: ['InvalidInput', 'UnknownName', ['VersionConflict', 412]],
    }),
    answer: async (asked) => {
      const { query, caller } = asked
      // To a caller that is limited to designs it is as if there were no others.
      const shown = caller.designs === undefined ? designs : designs.filter((name) => caller.designs?.includes(name))
      const design = query.get('design')
      if (design !== undefined && !shown.includes(design))
        throw new FreeholdError('UnknownName', `The design ${design} is not served here.`, { name: design })
      return documentOf(design === undefined ? shown : [design], asked, true)
    },
  }
  const routes = [
    whole,
    ...designs.map(
      (design): Route => ({
        ...{ ...common, path: `/openapi/${design}.json`, design, query: [] },
        describe: () => ({
          ...{ id: `service.openapiOf.${design.replaceAll(/\W/g, '_')}`, tag: 'service', summary: `The document of the API of ${design}.` },
          ...{ headers: ['If-None-Match'], answers, errors: [['VersionConflict', 412]], ...open },
        }),
        answer: (asked) => documentOf([design], asked, false),
      }),
    ),
  ]
  return routes
}
