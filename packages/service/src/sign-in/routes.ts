import type { Asking, CurrentSession, LinkKind, NotSignedIn, ShownSession, SignedIn, SignIn } from '@freehold/frame/credentials'
import type { Answer, Asked, Route } from '../http/route.ts'
import { type Kept, keptInCookie } from './kept.ts'
import { linkPaths } from './link-mail.ts'
import { form, html } from './page.ts'
import { type Answering, goTo, isForeign, pageRoutes } from './page-route.ts'
import { sessionsOf } from './sessions-page.ts'
import { address, code, link, nextOf, oneTime, password, saidOf, sentence } from './words.ts'

/** Sign-in, and what its pages need to know. */
export interface SignInPages {
  readonly signIn: SignIn
  readonly product: string
  /** The address by which people reach the service, if it is not that of the request. */
  readonly publicUrl?: string | undefined
}

/** Lets a person who is signed in into the console: the headers that do. */
export type EnterConsole = (asked: Asked, current: CurrentSession) => Promise<Readonly<Record<string, string>>>

/** The pages by which people sign in: plain, without scripts. */
export function signInRoutes(
  { signIn, product, publicUrl }: SignInPages,
  trustedProxies: number,
  enterConsole?: EnterConsole,
): readonly Route[] {
  const { keptBy, cookie } = keptInCookie(trustedProxies)
  /** The cookie without a session: the device stays known. */
  const signedOut = (asked: Asked) => cookie(asked, { device: keptBy(asked).device })
  const askingOf = (asked: Asked): Asking => {
    const { ip_address, user_agent } = asked.origin
    return { ip_address, user_agent, device: keptBy(asked).device }
  }
  const fieldOf = ({ body }: Asked, name: string) => {
    const value = body[name]
    return typeof value === 'string' ? value : ''
  }
  const { show, route } = pageRoutes({ product, publicUrl })
  /** The page again, with why not. The log tells refusals by the code. */
  const refused = (
    no: NotSignedIn,
    page: (how: { status: number; said: string; headers?: Readonly<Record<string, string>> }) => Answer,
  ): Answer => {
    const said = saidOf(no)
    if (no.no === 'wait')
      return { ...page({ status: 429, said, headers: { 'Retry-After': String(Math.ceil(no.wait_ms / 1000)) } }), code: 'Busy' }
    return { ...page({ status: 403, said }), code: 'Denied' }
  }
  /** Ends the session that the browser had: nobody goes on in one that was there before the sign-in. */
  const leaving = async (asked: Asked, to: string, kept: Kept): Promise<Answer> => {
    const former = await signIn.session(keptBy(asked).text)
    if (former !== undefined) await signIn.end(former.name, askingOf(asked))
    return goTo(to, cookie(asked, kept))
  }
  /** A sign-in that began at the console leads there. */
  const toConsole = ({ query }: Asked, words: string) => (query.get('to') === 'console' ? words : '')
  const entered = (asked: Asked, { session, device }: SignedIn, account: string) =>
    leaving(asked, account + toConsole(asked, '/console'), { text: session, device })

  const next = nextOf(signIn)
  /** The ways out of each page of somebody who is signed in. */
  const signOut = (account: string) => form([], 'Sign out', { to: `${account}/sign-out` })
  const leave = (account: string) => [link(account, 'Back'), signOut(account)]
  const pageOf = {
    signIn: (how = {}, typed = '') =>
      show('Sign in', [form([{ ...address, value: typed }, password], 'Sign in'), link('sign-in/forgotten', 'I forgot my password')], how),
    code: (how = {}) => show('Second factor', [form([code], 'Sign in'), link('../sign-in', 'Begin again')], how),
    forgotten: (how = {}) => show('Forgotten password', [form([address], 'Send a link'), link('../sign-in', 'Sign in')], how),
    choose: (kind: LinkKind, how = {}) => show(kind === 'reset' ? 'New password' : 'Welcome', form([next], 'Choose this password'), how),
    off: (how = {}) => show('Turn off', [form([password, code], 'Turn off'), ...leave('../../account')], how),
    badLink: () =>
      ({ ...show('Link', link('forgotten', 'Ask for another link'), { status: 403, said: sentence.link }), code: 'Denied' }) as const,
  }

  /** A page of somebody who is signed in; all others are led to the sign-in. */
  const within =
    (answer: (asked: Asked, current: CurrentSession) => Answer | Promise<Answer>, to = '../sign-in'): Answering =>
    async (asked) => {
      const kept = keptBy(asked)
      const current = await signIn.session(kept.text)
      if (current === undefined) return goTo(to)
      const answered = await answer(asked, current)
      return current.renewed === undefined || answered.headers?.['Set-Cookie'] !== undefined
        ? answered
        : { ...answered, headers: { ...answered.headers, ...cookie(asked, { ...kept, text: current.renewed }) } }
    }
  /** Signs in again within the page of a change. */
  const againFields = (hasFactor: boolean) => (hasFactor ? [password, code] : [password])
  const againOf = (asked: Asked) => ({ password: fieldOf(asked, 'password'), code: fieldOf(asked, 'code') })

  const choosing = (kind: LinkKind): readonly Route[] => {
    const path = linkPaths[kind]
    return [
      route(
        'GET',
        path,
        'The page that a link opens. It uses nothing up.',
        async ({ query }) => ((await signIn.isLink(kind, query.get('link'))) ? pageOf.choose(kind) : pageOf.badLink()),
        ['link'],
      ),
      route(
        'POST',
        path,
        'Chooses a password by a link.',
        async (asked) => {
          const no = await signIn.choose(kind, asked.query.get('link'), fieldOf(asked, 'next'), askingOf(asked))
          if (no?.no === 'link') return pageOf.badLink()
          if (no !== undefined) return refused(no, (how) => pageOf.choose(kind, how))
          return show('Password chosen', link('../sign-in', 'Sign in'), { said: 'Your password is chosen. Sign in with it.' })
        },
        ['link'],
      ),
    ]
  }

  const passwordPage = (hasFactor: boolean, how = {}) =>
    show('Change password', [form([...againFields(hasFactor), next], 'Change password'), ...leave('../account')], how)
  const sessionsPage = (current: CurrentSession, listed: readonly ShownSession[], how = {}) =>
    show('Your sessions', [...sessionsOf(current, listed, againFields(current.person.factor !== undefined)), ...leave('../account')], how)
  const factorPage = (person: Parameters<SignIn['proposeFactor']>[0], how = {}) => {
    const { secret, address: target, proposal } = signIn.proposeFactor(person)
    const isOn = person.factor !== undefined
    return show(
      'Second factor',
      [
        html`
<p>Add this key to your authenticator, then type the code that it shows.</p>
<p><code>${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>`,
        link(target, 'Open in an authenticator on this device'),
        form([...againFields(isOn), { ...oneTime, name: 'first', label: 'Code for the new key' }], isOn ? 'Replace' : 'Turn on', {
          hidden: { proposal },
        }),
        ...(isOn ? [link('factor/off', 'Turn the second factor off')] : []),
        ...leave('../account'),
      ],
      how,
    )
  }

  return [
    route('GET', '/sign-in', 'The page to sign in.', () => pageOf.signIn(), ['to']),
    route(
      'POST',
      '/sign-in',
      'Signs in with a password.',
      async (asked) => {
        const given = { address: fieldOf(asked, 'address'), password: fieldOf(asked, 'password') }
        const done = await signIn.password(given, askingOf(asked))
        if ('no' in done) return refused(done, (how) => pageOf.signIn(how, given.address.slice(0, 320)))
        if ('session' in done) return entered(asked, done, 'account')
        return leaving(asked, `sign-in/code${toConsole(asked, '?to=console')}`, { ...keptBy(asked), text: done.half })
      },
      ['to'],
    ),
    route('GET', '/sign-in/code', 'The page for the code of a second factor.', () => pageOf.code(), ['to']),
    route(
      'POST',
      '/sign-in/code',
      'Completes a sign-in with a code.',
      async (asked) => {
        const done = await signIn.code(keptBy(asked).text, fieldOf(asked, 'code'), askingOf(asked))
        return 'no' in done ? refused(done, pageOf.code) : entered(asked, done, '../account')
      },
      ['to'],
    ),
    route('GET', '/sign-in/forgotten', 'The page to ask for a link.', () => pageOf.forgotten()),
    route('POST', '/sign-in/forgotten', 'Sends a link, if somebody has the address.', async (asked) => {
      const no = await signIn.forgotten(fieldOf(asked, 'address'), askingOf(asked))
      if (no !== undefined) return refused(no, pageOf.forgotten)
      return show('Look into your mails', link('../sign-in', 'Sign in'), {
        said: 'If this address may sign in here, a link is on its way to it.',
      })
    }),
    ...choosing('reset'),
    ...choosing('invitation'),
    route(
      'GET',
      '/account',
      'The page of a person who is signed in.',
      within(
        (_asked, { person }) =>
          show('Your account', [
            html`
<p>You are signed in as ${person.address}.</p>`,
            link('account/password', 'Change password'),
            link('account/sessions', 'Your sessions'),
            link('account/factor', person.factor === undefined ? 'Turn a second factor on' : 'Replace the second factor'),
            ...(enterConsole === undefined ? [] : [link('account/console', 'Open the console')]),
            signOut('account'),
          ]),
        'sign-in',
      ),
    ),
    ...(enterConsole === undefined
      ? []
      : [
          route(
            'GET',
            '/account/console',
            'Opens the console.',
            within(
              async (asked, current) => (isForeign(asked) ? goTo('../account') : goTo('../console/', await enterConsole(asked, current))),
              '../sign-in?to=console',
            ),
          ),
        ]),
    route(
      'POST',
      '/account/sign-out',
      'Ends the session.',
      within(async (asked, { name }) => {
        await signIn.end(name, askingOf(asked))
        return goTo('../sign-in', signedOut(asked))
      }),
    ),
    route(
      'GET',
      '/account/password',
      'The page to change the password.',
      within((_asked, { person }) => passwordPage(person.factor !== undefined)),
    ),
    route(
      'POST',
      '/account/password',
      'Changes the password, and ends all sessions.',
      within(async (asked, { person }) => {
        const no = await signIn.changePassword(person, { ...againOf(asked), next: fieldOf(asked, 'next') }, askingOf(asked))
        if (no !== undefined) return refused(no, (how) => passwordPage(person.factor !== undefined, how))
        return show('Password changed', link('../sign-in', 'Sign in'), {
          said: 'Your password is changed, and all sessions have ended. Sign in with it.',
          headers: signedOut(asked),
        })
      }),
    ),
    route(
      'GET',
      '/account/sessions',
      'The sessions of the person.',
      within(async (_asked, current) => sessionsPage(current, await signIn.sessions(current.person))),
    ),
    route(
      'POST',
      '/account/sessions',
      'Ends a session, or all others.',
      within(async (asked, current) => {
        const no = await signIn.endSessions(current, { ...againOf(asked), session: fieldOf(asked, 'session') }, askingOf(asked))
        const listed = await signIn.sessions(current.person)
        return no === undefined
          ? sessionsPage(current, listed, { said: 'It has ended.' })
          : refused(no, (how) => sessionsPage(current, listed, how))
      }),
    ),
    route(
      'GET',
      '/account/factor',
      'The page to set a second factor.',
      within((_asked, { person }) => factorPage(person)),
    ),
    route(
      'POST',
      '/account/factor',
      'Sets a second factor.',
      within(async (asked, { person }) => {
        const given = { ...againOf(asked), proposal: fieldOf(asked, 'proposal'), first: fieldOf(asked, 'first') }
        const done = await signIn.setFactor(person, given, askingOf(asked))
        if ('no' in done) return refused(done, (how) => factorPage(person, how))
        return show(
          'Recovery codes',
          [
            html`
<p>Each of these is good once, in place of a code. They are not shown again: print them, or write them down.</p>
<ul>${done.recoveryCodes.map((each) => html`<li><code>${each}</code></li>`)}</ul>`,
            link('../sign-in', 'I have them: sign in'),
          ],
          { said: 'The second factor is on, and all sessions have ended.', headers: signedOut(asked) },
        )
      }),
    ),
    route(
      'GET',
      '/account/factor/off',
      'The page to take the second factor away.',
      within(() => pageOf.off(), '../../sign-in'),
    ),
    route(
      'POST',
      '/account/factor/off',
      'Takes the second factor away, and ends all sessions.',
      within(async (asked, { person }) => {
        const no = await signIn.unsetFactor(person, againOf(asked), askingOf(asked))
        if (no !== undefined) return refused(no, pageOf.off)
        return show('Second factor', link('../../sign-in', 'Sign in'), {
          said: 'The second factor is off, and all sessions have ended.',
          headers: signedOut(asked),
        })
      }, '../../sign-in'),
    ),
  ]
}
