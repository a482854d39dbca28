import { ulid, verbatim } from '@freehold/table'
import { attributeSchema, objectSchema } from '@freehold/table/publish'
import { invalidInput } from '@freehold/table/runtime'
import { kindsOf, notForCaller, type RequestCaller, type SignedInPerson } from '../http/caller.ts'
import { notFromConsole, sessionCookie } from '../http/console-cookie.ts'
import { problem } from '../http/problem.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import type { SignedInPeople } from '../http/signed-in-people.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import { unlessGone } from '../keys/browser-sessions.ts'
import type { VerifiedKey } from '../keys/purpose.ts'
import type { Components, Operation } from '../openapi/operation.ts'
import { flag, listOf, object, saying, string } from '../openapi/schemas.ts'

const path = '/console/session'
const ofKeys = '/v1/api-keys/sessions'
const ofPerson = '/console/sessions'

const input = {
  key: verbatim({ max: 200 }).optional().describe('An API key.'),
  link: verbatim({ max: 200 }).optional().describe('The secret of a link, which is used up.'),
}
const id = (words: string) => ({ schema: attributeSchema(ulid(), { side: 'given' }), required: true, description: words })
const time = { type: 'string', format: 'date-time' }
const told = (components: Components) =>
  components.named('ConsoleSession', () =>
    saying(
      object(
        {
          purpose: saying(string, 'What its key is for, or whether a person administers its tenant.'),
          may: saying(listOf(string), 'The kinds of routes that it may use.'),
          endsAt: saying(time, 'When it ends.'),
        },
        {
          keyId: saying(string, 'The key that speaks.'),
          person: saying(
            object(
              {
                design: saying(string, 'Its design.'),
                user: saying(string, 'The id of the user.'),
                administers: saying(flag, 'Whether it administers its tenant.'),
              },
              {
                tenant: saying(string, 'The id of its tenant.'),
                name: saying(string, 'Its name.'),
                ask: saying(listOf(string), 'The names of some who administer its tenant, if it does not itself.'),
              },
            ),
            'The person who signed in.',
          ),
          designs: saying(listOf(string), 'The designs that it is limited to.'),
          flows: saying(listOf(string), 'The flows that it is limited to.'),
          tenant: saying(string, 'The tenant that it is limited to.'),
        },
      ),
      'A session of the console.',
    ),
  )
const sessionList = (components: Components) =>
  components.named('ConsoleSessions', () => {
    const session = object(
      {
        sessionId: saying(string, 'Its id.'),
        createdAt: saying(time, 'When it began.'),
        usedAt: saying(time, 'When it was used last, to a few minutes.'),
        expiresAt: saying(time, 'When it ends.'),
      },
      {
        keyId: saying(string, 'Its key.'),
        agent: saying(string, 'The browser.'),
        isOwn: saying(flag, 'True of the session that asks.'),
      },
    )
    return saying(object({ sessions: saying(listOf(session), 'The sessions.') }), 'The sessions of a key, or of a person.')
  })
const describe = (name: string, summary: string, more: (components: Components) => Partial<Operation>) => (components: Components) => ({
  ...{ id: `service.${name}`, tag: 'service', summary, answers: [{ status: 204, summary: 'It is done.' }], errors: [] },
  ...more(components),
})
const answersSession = (components: Components) => ({ answers: [{ status: 200, summary: 'The session.', schema: told(components) }] })

/** Only a browser on this machine opens a link: its address may lie in a log of a terminal. What a proxy on this machine sends is of anywhere. */
const isOfHere = ({ origin: { ip_address = '' }, headers }: Asked, trustedProxies: number) =>
  (ip_address === '::1' || ip_address.startsWith('127.')) &&
  (trustedProxies > 0 || ['x-forwarded-for', 'forwarded'].every((name) => headers.get(name) === null))

const toldPerson = ({ design, user, tenant, name, administers }: SignedInPerson) => ({
  ...{ design, user, administers },
  ...(tenant === undefined ? {} : { tenant }),
  ...(name === undefined ? {} : { name }),
})

const body = (caller: RequestCaller, keyId: string | undefined, endsAt: string, ask: readonly string[] = []) => {
  const { purpose, designs, tenant, flows, person } = caller
  return {
    ...(keyId === undefined ? {} : { keyId }),
    ...(person && { person: { ...toldPerson(person), ...(ask.length > 0 ? { ask } : {}) } }),
    purpose,
    may: kindsOf(caller),
    endsAt,
    ...(designs && { designs }),
    ...(flows && { flows }),
    ...(tenant === undefined ? {} : { tenant }),
  }
}

/** The routes by which a browser gets a session of the console, and by which operators see and end sessions. */
export function consoleSessionRoutes(
  keys: ApiKeys,
  people: SignedInPeople,
  trustedProxies: number,
): { readonly open: Route; readonly others: readonly Route[] } {
  const { sessions } = keys
  const keyOf = async (asked: Asked): Promise<VerifiedKey | undefined> => {
    const { key, link, ...others } = asked.body
    const [other] = Object.keys(others)
    if (other !== undefined) throw invalidInput('The request', [{ path: [other], message: 'is neither key nor link' }])
    if (typeof key === 'string' && link === undefined) return keys.identify(key.trim())
    if (typeof link === 'string' && key === undefined) return isOfHere(asked, trustedProxies) ? sessions.useLink(link) : undefined
    throw invalidInput('The request', [{ path: ['key'], message: 'is not there: give a key, or a link' }])
  }
  const own = ({ session, person }: RequestCaller) => {
    const found = person ?? session
    if (found === undefined) throw notForCaller('This is for a browser with a session: an API key needs none.')
    return found
  }
  const personOf = ({ person }: RequestCaller): SignedInPerson => {
    if (person === undefined) throw notForCaller()
    return person
  }
  const open: Route = {
    ...{ method: 'POST', path, kind: 'session', query: [], takesBody: true },
    describe: describe('openConsole', 'Changes an API key, or a link, for a session in a cookie.', (components) => ({
      ...answersSession(components),
      body: components.named('OpenConsole', () => saying(objectSchema(input, { side: 'given' }), 'A key, or a link.')),
      isOpen: true,
      isHidden: true,
    })),
    answer: async (asked): Promise<Answer> => {
      const foreign = notFromConsole(asked.headers, 'POST')
      if (foreign !== undefined) return foreign.refusal
      const key = await keyOf(asked)
      if (key === undefined)
        return problem('Denied', 'This key or link is not valid here: a link is good once, for ten minutes, on its own machine.', {
          status: 401,
        })
      const { text, expiresAt } = await sessions.open(key, asked.origin.user_agent)
      await people.leave(asked)
      return { status: 200, body: body(key, key.keyId, expiresAt), headers: sessionCookie(asked.headers, trustedProxies, text) }
    },
  }
  const others: readonly Route[] = [
    {
      ...{ method: 'GET', path, kind: 'session', query: [], takesBody: false },
      describe: describe('consoleSession', 'The session of this browser.', (components) => ({
        ...answersSession(components),
        isHidden: true,
      })),
      answer: async ({ caller, origin }) => {
        const { person } = caller
        const ask = person === undefined || person.administers ? [] : await people.administratorsOf(person)
        return { status: 200, body: body(caller, origin.key, own(caller).endsAt, ask) }
      },
    },
    {
      ...{ method: 'DELETE', path, kind: 'session', query: [], takesBody: false },
      describe: describe('closeConsole', 'Ends the session of this browser.', () => ({ isHidden: true })),
      answer: async ({ caller, origin, headers }) => {
        const { sessionId } = own(caller)
        const { person } = caller
        const ending = person === undefined ? sessions.end(origin.key ?? '', sessionId) : people.end(person, sessionId, origin)
        await ending.catch(unlessGone)
        return { status: 204, headers: sessionCookie(headers, trustedProxies, undefined) }
      },
    },
    {
      ...{ method: 'GET', path: ofPerson, kind: 'session', query: [], takesBody: false },
      describe: describe('ownSessions', 'The sessions of the person who signed in, the oldest first.', (components) => ({
        answers: [{ status: 200, summary: 'The sessions.', schema: sessionList(components) }],
        isHidden: true,
      })),
      answer: async ({ caller }) => {
        const person = personOf(caller)
        const listed = await people.list(person)
        return {
          status: 200,
          body: {
            sessions: listed.map(({ sessionId, createdAt, usedAt, expiresAt, agent }) => ({
              ...{ sessionId, createdAt, usedAt, expiresAt, isOwn: sessionId === person.sessionId },
              ...(agent === undefined ? {} : { agent }),
            })),
          },
        }
      },
    },
    {
      ...{ method: 'DELETE', path: ofPerson, kind: 'session', query: ['sessionId'], takesBody: false },
      describe: describe('endOwnSession', 'Ends a session of the person who signed in.', () => ({
        query: { sessionId: id('The id of the session.') },
        errors: ['NotFound'],
        isHidden: true,
      })),
      answer: async ({ caller, query, origin }) => {
        await people.end(personOf(caller), query.get('sessionId') ?? '', origin)
        return { status: 204 }
      },
    },
    {
      ...{ method: 'POST', path: '/v1/api-keys/links', kind: 'operation', query: [], takesBody: false },
      describe: describe('newConsoleLink', 'Makes a link that opens the console once as this key.', (components) => ({
        answers: [
          {
            status: 201,
            summary: 'The link.',
            schema: components.named('ConsoleLink', () =>
              saying(object({ text: saying(string, 'What stands behind `#open=`.'), expiresAt: saying(time, 'When it ends.') }), 'A link.'),
            ),
          },
        ],
      })),
      answer: async ({ origin, caller }) => {
        // A session that opened others would outlive its own end.
        if (caller.session !== undefined) throw notForCaller('A session of the console makes no links: its key does.')
        return { status: 201, body: await sessions.newLink(origin.key ?? '') }
      },
    },
    {
      ...{ method: 'GET', path: ofKeys, kind: 'operation', query: ['keyId'], takesBody: false },
      describe: describe('listSessions', 'The sessions of the console by a key, the oldest first.', (components) => ({
        query: { keyId: id('The id of the key.') },
        answers: [
          {
            status: 200,
            summary: 'The sessions.',
            schema: sessionList(components),
          },
        ],
        errors: ['InvalidKey'],
      })),
      answer: async ({ query }) => ({ status: 200, body: { sessions: await sessions.list(query.get('keyId') ?? '') } }),
    },
    {
      ...{ method: 'DELETE', path: ofKeys, kind: 'operation', query: ['keyId', 'sessionId'], takesBody: false },
      describe: describe('endSession', 'Ends a session of the console.', () => ({
        query: { keyId: id('The id of its key.'), sessionId: id('The id of the session.') },
        errors: ['InvalidKey', 'NotFound'],
      })),
      answer: async ({ query }) => {
        await sessions.end(query.get('keyId') ?? '', query.get('sessionId') ?? '')
        return { status: 204 }
      },
    },
  ]
  return { open, others }
}
