import { TokenRefusal } from '@freehold/frame/issuers'
import { isFreeholdError } from '@freehold/table'
import { loopbackHost, sessionCookie, sessionText } from '../http/console-cookie.ts'
import type { Answer, Asked, Route } from '../http/route.ts'
import { limitedLookups } from '../keys/lookups.ts'
import type { Describe } from '../openapi/operation.ts'
import { listOf, object, saying, string } from '../openapi/schemas.ts'
import type { Served } from '../served.ts'
import { pageAnswer } from '../sign-in/page.ts'
import { isForeign } from '../sign-in/page-route.ts'
import { link } from '../sign-in/words.ts'
import { signIn_ms } from './answer-guards.ts'
import type { Finished, RelyingParty } from './sign-in-port.ts'
import { SignInRefusal } from './sign-in-refusal.ts'

/** Ways to sign in to the console, and what opens a session. */
export interface ConsoleSignIn {
  readonly party: RelyingParty | undefined
  readonly tables: ReadonlyMap<string, Served>
  /** Begins the session of a person, and ends the former one: the headers that give it to the browser. Throws `Denied`. */
  enter(asked: Asked, finished: Finished): Promise<Readonly<Record<string, string>>>
  readonly product: string
  /** True where people sign in by pages of this product, too. */
  readonly hasPages: boolean
  readonly publicUrl: string | undefined
  readonly trustedProxies: number
}

const root = '/console/sign-in'

/** Each waits for an issuer, and anybody may begin one. */
const atOnce = { atOnce_max: 64, waiting_max: 1_000 }

/** What is not the fault of a person. */
const ofOthers: ReadonlySet<string> = new Set(['IssuerUnavailable', 'KeysUnavailable', 'ClientRefused'])

const sentence = {
  refused: 'You are not signed in. Begin again.',
  denied: 'You are known there, but nobody has given you access here. Ask an administrator.',
  failed: 'Signing in does not work now. Try again later.',
}

/** The designs whose people an issuer may sign in. */
const designsOf = (tables: ConsoleSignIn['tables'], designs: readonly string[] | undefined) =>
  [...tables]
    .filter(([name, { module }]) => {
      const signsIn = module.flows?.declared(module.design).some((flow) => flow.name === 'signIn') === true
      return signsIn && designs?.includes(name) !== false
    })
    .map(([name]) => name)

/** The routes by which people sign in to the console at an issuer. */
export function consoleSignInRoutes(options: ConsoleSignIn): readonly Route[] {
  const { party, tables, enter, product, hasPages, publicUrl, trustedProxies } = options
  const base = publicUrl?.replace(/\/+$/, '')
  /** The address of the console: never that of a host which a request only names. */
  const addressOf = ({ headers }: Asked) => {
    const host = headers.get('host') ?? ''
    return base ?? (trustedProxies === 0 && loopbackHost.test(host) ? `http://${host}` : undefined)
  }
  const page = (status: number, said: string, toConsole: string): Answer => ({
    ...pageAnswer(status, { product, title: 'Sign in', said, body: link(toConsole, 'Begin again') }),
    code: status < 500 ? 'Denied' : 'Unavailable',
  })
  /** What a person is told of an error. The log has the reason. */
  const refused = (error: unknown, toConsole: string): Answer => {
    if (error instanceof SignInRefusal || error instanceof TokenRefusal) {
      const isOurs = ofOthers.has(error.code)
      const { name, message } = Object(error.cause)
      const cause = error.cause instanceof Error ? { cause: { name, message: String(message).slice(0, 200) } } : {}
      return { ...page(isOurs ? 503 : 403, isOurs ? sentence.failed : sentence.refused, toConsole), reason: error.code, ...cause }
    }
    if (isFreeholdError(error, 'Denied')) return page(403, sentence.denied, toConsole)
    throw error
  }
  const ways = [...(party?.issuers ?? [])].map(([name, { designs }]) => ({ name, designs: designsOf(tables, designs) }))
  const told = ways.flatMap(({ name, designs }) =>
    designs.map((design) => {
      const isOne = designs.length === 1
      const to = `sign-in/${name}${isOne ? '' : `?design=${encodeURIComponent(design)}`}`
      return { name, label: isOne ? name : `${name}: ${design}`, to }
    }),
  )
  const own = hasPages ? [{ name: 'password', label: 'a password', to: '../sign-in?to=console' }] : []

  const open = { method: 'GET', kind: 'session', takesBody: false } as const
  const described =
    (id: string, summary: string, more: Partial<ReturnType<Describe>>): Describe =>
    () => ({ ...{ id: `service.${id}`, tag: 'service', summary, errors: [], isOpen: true, isHidden: true, answers: [] }, ...more })
  const describedPage = (id: string, summary: string) =>
    described(id, summary, { answers: [{ status: 303, summary: 'It leads on.', headers: ['Location'] }] })
  const boundTo =
    (toConsole: string) =>
    (answered: Answer): Answer => {
      if (answered.text !== undefined || answered.code === undefined) return answered
      const { status, code, cause } = answered
      return { ...page(status, status < 500 ? sentence.refused : sentence.failed, toConsole), code, ...(cause && { cause }) }
    }

  const begin = (at: RelyingParty, name: string, designs: readonly string[]): Route => ({
    ...{ ...open, path: `${root}/${name}`, query: ['design'], bound: boundTo('../') },
    describe: describedPage(`signIn.${name}`, `Leads to ${name}, to sign in there.`),
    answer: async (asked) => {
      const design = asked.query.get('design') ?? (designs.length === 1 ? designs[0] : undefined)
      const address = addressOf(asked)
      try {
        if (isForeign(asked)) throw new SignInRefusal('SignInForeign')
        if (address === undefined) throw new SignInRefusal('AddressUnknown')
        if (design === undefined || !designs.includes(design)) throw new SignInRefusal('DesignUnknown')
        // The answer comes from another site: the browser then sends no cookie of the console.
        const former = sessionText(asked.headers, trustedProxies)
        const { to, kept } = await at.begin(name, { back: `${address}${root}/${name}/back`, design, former })
        return {
          status: 303,
          headers: { Location: to, ...sessionCookie(asked.headers, trustedProxies, kept, { of: 'sign_in', kept_s: signIn_ms / 1000 }) },
        }
      } catch (error) {
        return refused(error, '../')
      }
    },
  })
  type Finishing = (answer: Parameters<RelyingParty['finish']>) => Promise<Finished>
  const back = (finish: Finishing, name: string): Route => ({
    ...{ ...open, path: `${root}/${name}/back`, query: [], takesAnyQuery: true, bound: boundTo('../../') },
    describe: describedPage(`signIn.${name}.back`, `Finishes to sign in at ${name}.`),
    answer: async (asked) => {
      try {
        const parameters = new URLSearchParams([...asked.query])
        const finished = await finish([name, parameters, sessionText(asked.headers, trustedProxies, 'sign_in')])
        return { status: 303, headers: { Location: '../../', ...(await enter(asked, finished)) } }
      } catch (error) {
        return refused(error, '../../')
      }
    },
  })
  const list: Route = {
    ...{ ...open, path: root, query: [] },
    describe: (components) =>
      described('waysToSignIn', 'The ways to sign in to the console.', {
        answers: [
          {
            status: 200,
            summary: 'The ways.',
            schema: components.named('WaysToSignIn', () => {
              const way = object({
                name: saying(string, 'The name of the issuer.'),
                label: saying(string, 'What a person reads.'),
                to: saying(string, 'Where it leads, from the console.'),
              })
              return saying(object({ ways: saying(listOf(way), 'The ways.') }), 'The ways to sign in.')
            }),
          },
        ],
      })(components),
    answer: () => ({ status: 200, body: { ways: [...own, ...told] } }),
  }
  if (party === undefined) return [list]
  const finish = limitedLookups<Finished, Parameters<RelyingParty['finish']>>((answer) => party.finish(...answer), atOnce)
  return [list, ...ways.flatMap(({ name, designs }) => [begin(party, name, designs), back(finish, name)])]
}
