import { type Decide, protectExpress } from '@freehold/client'
import type { AccessQuestion } from '@freehold/designs/rebac'
import express, { type Request } from 'express'

/** The same over a design that the program has opened itself: `expressApp(open({ … }).decide.can)`. */
export function expressApp(can: Decide<AccessQuestion>) {
  const app = express()
  app.get(
    '/:location/:page',
    protectExpress(
      {
        user: (_token, request: Request<{ location: string; page: string }>) => {
          const id = request.header('x-user')
          return id === undefined ? undefined : { id }
        },
        can,
        question: ({ id: user }, { params }) => ({ user, ...params }),
      },
      (request, response) => {
        response.type('text').send(`The ${request.params.page} of ${request.params.location} for ${request.user.id}`)
      },
    ),
  )
  return app
}
