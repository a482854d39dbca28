import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Denial, protect, protectExpress, protectRoute, type SignedIn } from '@freehold/client'
import { TokenRefusal } from '@freehold/frame/issuers'
import { FreeholdError } from '@freehold/table'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'

// The same requests at each face of `protect`: who gets in, and what the others are told.

const ada = { id: 'ada', tenant: 'acme', name: 'Ada' }
type Ada = typeof ada
class HandlersOwn extends Error {}

const user = (token: string | undefined): Ada | undefined => {
  if (token === undefined) return undefined
  if (token === 'bad') throw new TokenRefusal('SignatureInvalid')
  if (token === 'keyless') throw new TokenRefusal('KeysUnavailable')
  if (token === 'stranger') throw new FreeholdError('Denied', 'There is no such user here.', { reason: 'UnknownUser' })
  if (token === 'broken') throw new Error('A secret of the database')
  return { ...ada, id: token }
}
const question = ({ id }: Ada) => id
const can = async (id: string) => {
  if (id === 'odd') throw new FreeholdError('InvalidInput', 'This is no question.')
  if (id === 'late') throw new FreeholdError('Unavailable', 'No answer.')
  if (id === 'faulty') return { allowed: false, reason: { kind: 'fault' } }
  // As a design in JavaScript might answer.
  if (id === 'truthy') return { allowed: 'yes' as unknown as boolean }
  return { allowed: id !== 'eve', reason: { kind: 'none', code: 'NoRole' } }
}

type Hook = (denial: Denial) => Response | undefined | Promise<Response | undefined>
interface Face {
  /** Asks it with a header of authorization, and with a hook for denials. */
  readonly ask: (authorization: string | undefined, hook?: Hook) => Promise<Response>
}
/** What the handlers answer: who is signed in. */
const welcome = ({ user: who, tenant }: SignedIn<Ada>) => {
  if (who.id === 'failing') throw new HandlersOwn('mine')
  return JSON.stringify({ id: who.id, name: who.name, tenant })
}
const headersOf = (authorization: string | undefined) => (authorization === undefined ? {} : { headers: { authorization } })
/** As a program answers an error of its handler. */
const failed = (error: unknown) => (error instanceof HandlersOwn ? 'own' : 'another')

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

const faces: Readonly<Record<string, Face>> = {
  hono: {
    ask: async (authorization, denied) => {
      const app = new Hono<{ Variables: SignedIn<Ada> }>()
      app.onError((error, c) => c.text(failed(error), 500))
      // The type of a hook has an answer; one in JavaScript may have none.
      app.use(protect({ user, can, question, denied: denied as () => Response }))
      app.get('/', (c) => c.text(welcome(c.var)))
      return app.request('/', headersOf(authorization))
    },
  },
  express: {
    ask: async (authorization, hook) => {
      const app = express()
      const denied =
        hook &&
        (async (denial: Denial, _: express.Request, response: express.Response) => {
          const answer = await hook(denial)
          if (answer === undefined) throw undefined
          return response.status(answer.status).send(await answer.text())
        })
      app.get(
        '/',
        protectExpress({ user, can, question, denied }, (request, response) => response.send(welcome(request))),
      )
      app.get('/', (_request, response) => response.send('went on'))
      app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
        response.status(500).send(failed(error))
      })
      const server = createServer(app)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      // A server that listens on TCP has an AddressInfo.
      return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headersOf(authorization))
    },
  },
  route: {
    ask: async (authorization, denied) => {
      const handler = protectRoute({ user, can, question, denied: denied as () => Response }, (request) =>
        Promise.resolve(new Response(welcome(request))),
      )
      const request = new Request('http://127.0.0.1/', headersOf(authorization))
      return handler(request).catch((error: unknown) => new Response(failed(error), { status: 500 }))
    },
  },
}

type Body = Pick<Denial, 'status' | 'code' | 'title'>
const denied: Body = { status: 403, code: 'Denied', title: 'Not allowed.' }
const unavailable: Body = { status: 503, code: 'Unavailable', title: 'There is no decision now. Try again.' }
const nobody: Body = { status: 401, code: 'Denied', title: 'Sign in first.' }
const invalid = 'Bearer error="invalid_token"'
const rows: readonly (readonly [what: string, authorization: string | undefined, body: Body, challenge?: string])[] = [
  ['no token', undefined, nobody, 'Bearer'],
  ['another scheme', 'Basic YWRhOmFkYQ==', nobody, 'Bearer'],
  ['a bearer without a token', 'Bearer ', nobody, 'Bearer'],
  ['two tokens', 'Bearer ada ada', nobody, 'Bearer'],
  ['a bad token', 'Bearer bad', nobody, invalid],
  ['a token whose keys are not known now', 'Bearer keyless', unavailable],
  ['a person whom the design does not know', 'Bearer stranger', denied],
  ['a user who may not', 'Bearer eve', denied],
  ['a question that is none', 'Bearer odd', denied],
  ['an answer that is no boolean', 'Bearer truthy', denied],
  ['a decision that failed', 'Bearer faulty', unavailable],
  ['no answer', 'Bearer late', unavailable],
  ['a failure of another kind', 'Bearer broken', unavailable],
]

describe.each(Object.entries(faces))('at the face of %s', (_, { ask }) => {
  test.each(rows.map(([what, ...row]) => ({ what, row })))('$what', async ({ row: [authorization, body, challenge] }) => {
    const answer = await ask(authorization)
    expect({ body: await answer.json(), status: answer.status, challenge: answer.headers.get('www-authenticate') }).toEqual({
      ...{ body, status: body.status },
      challenge: challenge ?? null,
    })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)

    // A hook changes how the denial looks, and learns its reason. One that fails, or says nothing, changes nothing.
    const denials: Denial[] = []
    const other = await ask(authorization, (denial) => {
      denials.push(denial)
      return new Response(`No: ${denial.code}`, { status: 418 })
    })
    expect([other.status, await other.text()]).toEqual([418, `No: ${body.code}`])
    expect(denials).toMatchObject([body])
    const hooks: readonly Hook[] = [
      () => undefined,
      async () => undefined,
      () => {
        throw new Error('the hook')
      },
      () => Promise.reject(undefined),
      () => Promise.reject('route'),
    ]
    for (const hook of hooks) {
      const still = await ask(authorization, hook)
      expect([still.status, await still.json(), still.headers.get('www-authenticate')]).toEqual([answer.status, body, challenge ?? null])
    }
  })

  test('whoever may goes on, and the handler knows who it is', async () => {
    for (const authorization of ['Bearer ada', 'bearer  ada']) {
      const answer = await ask(authorization, () => new Response('denied'))
      expect(await answer.json()).toEqual({ id: 'ada', name: 'Ada', tenant: 'acme' })
    }
  })

  test("a handler's own error is its own: it becomes no denial", async () => {
    const answer = await ask('Bearer failing', () => new Response('denied'))
    expect([answer.status, await answer.text()]).toEqual([500, 'own'])
  })
})

test('a handler of Express that fails without an error does not go on to the next one', async () => {
  const handler = protectExpress({ user: () => ada }, () => Promise.reject(undefined))
  const next = await new Promise<unknown[]>((resolve) => {
    // Nothing is answered here.
    handler({ headers: {} }, {} as never, (...given) => resolve(given))
  })
  expect(next).toEqual([expect.any(Error)])
})

interface Params {
  readonly params: Promise<{ page: string }>
}

test('a route gets the parameters of its handler, and so does the question', async () => {
  const asked: string[] = []
  const handler = protectRoute(
    {
      user: () => ada,
      can: async (page: string) => ({ allowed: asked.push(page) > 0 }),
      question: async (_user, _request, { params }: Params) => (await params).page,
    },
    async (request, { params }: Params) => new Response(`${request.user.name}: ${(await params).page} of ${request.url}`),
  )
  const answer = await handler(new Request('http://127.0.0.1/x'), { params: Promise.resolve({ page: 'reports' }) })
  expect([asked, await answer.text()]).toEqual([['reports'], 'Ada: reports of http://127.0.0.1/x'])
})

test.each([{ can }, { question }])('half a question is a mistake of the program: %j', (half) => {
  expect(() => protect({ user, ...half } as never)).toThrow('give both')
  expect(() => protectRoute({ user, ...half } as never, () => new Response())).toThrow('give both')
  expect(() => protectExpress({ user, ...half } as never)).toThrow('give both')
})
