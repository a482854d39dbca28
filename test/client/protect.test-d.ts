import { protect, protectExpress, protectRoute, type SignedIn } from '@freehold/client'
import type { Request as ExpressRequest } from 'express'
import { type Context, Hono } from 'hono'
import { expectTypeOf, test } from 'vitest'

interface Person {
  readonly id: string
  readonly tenant: string | undefined
  readonly name: string
}
const user = (): Person => ({ id: 'ada', tenant: 'acme', name: 'Ada' })
const can = async (_: { page: string; user: string }) => ({ allowed: true })
interface Params {
  readonly params: Promise<{ page: string }>
}

test('a route handler keeps its request and its parameters', () => {
  class NextRequest extends Request {
    readonly nextUrl = new URL(this.url)
  }
  const GET = protectRoute(
    { user, can, question: async ({ id }, _request: NextRequest, { params }: Params) => ({ user: id, page: (await params).page }) },
    async (request, { params }: Params) => {
      expectTypeOf(request.nextUrl).toEqualTypeOf<URL>()
      expectTypeOf(request.user.name).toEqualTypeOf<string>()
      expectTypeOf(request.tenant).toEqualTypeOf<string | undefined>()
      return new Response((await params).page)
    },
  )
  expectTypeOf<Parameters<typeof GET>[1]>().toEqualTypeOf<Params>()
  expectTypeOf<ReturnType<typeof GET>>().toEqualTypeOf<Promise<Response>>()
  expectTypeOf<NextRequest>().toExtend<Parameters<typeof GET>[0]>()
  // Without a question the parameters are those of the handler.
  const POST = protectRoute({ user }, (request, { params }: Params) => {
    expectTypeOf(request).toEqualTypeOf<Request & SignedIn<Person>>()
    return params.then(({ page }) => new Response(page))
  })
  expectTypeOf<Parameters<typeof POST>>().toEqualTypeOf<[request: Request, Params]>()
  // @ts-expect-error They are no `any` in a question that does not name them.
  protectRoute({ user, can, question: async (_, __, { params }) => params }, (_request, { params }: Params) => new Response(`${params}`))
  // @ts-expect-error A question is that of `can`.
  protectRoute({ user, can, question: () => ({ user: 'ada' }) }, () => new Response())
  // @ts-expect-error A user has an id.
  protectRoute({ user: () => ({ name: 'Ada' }) }, () => new Response())
})

test('a handler of Express keeps the parameters of its path', () => {
  protectExpress({ user: (_token, _request: ExpressRequest<{ page: string }>) => user() }, (request) => {
    expectTypeOf(request.params.page).toEqualTypeOf<string>()
    expectTypeOf(request.user.name).toEqualTypeOf<string>()
    expectTypeOf(request.tenant).toEqualTypeOf<string | undefined>()
  })
})

test('a context of Hono has what its application says', () => {
  const app = new Hono<{ Variables: SignedIn<Person> }>()
  app.use('/:page', protect({ user, can, question: ({ id }, c: Context) => ({ user: id, page: c.req.param('page') ?? '' }) }))
  app.get('/:page', (c) => {
    expectTypeOf(c.get('user').name).toEqualTypeOf<string>()
    expectTypeOf(c.var.tenant).toEqualTypeOf<string | undefined>()
    return c.text('')
  })
})
