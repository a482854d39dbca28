import { clientOf, protect, type SignedIn } from '@freehold/client'
import type { rebacModule } from '@freehold/designs/rebac'
import { type Context, Hono } from 'hono'

/** An application whose pages are those of a design: each request asks the service. */
export function honoApp(options: { readonly url: string; readonly key: string }) {
  const rebac = clientOf<typeof rebacModule>({ ...options, design: 'rebac' })
  const app = new Hono<{ Variables: SignedIn }>()

  app.use(
    '/:location/:page',
    protect({
      // Your own sign-in says who this is. A header is as good as its sender.
      user: (_token, c: Context) => {
        const id = c.req.header('x-user')
        return id === undefined ? undefined : { id }
      },
      can: rebac.can,
      question: ({ id: user }, c) => ({ user, location: c.req.param('location') ?? '', page: c.req.param('page') ?? '' }),
    }),
  )
  app.get('/:location/:page', (c) => c.text(`The ${c.req.param('page')} of ${c.req.param('location')} for ${c.get('user').id}`))
  return app
}
