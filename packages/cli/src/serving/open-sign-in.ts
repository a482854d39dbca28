import { credentialsOf } from '@freehold/frame'
import type { Mailing } from '@freehold/frame/mail'
import {
  type Issuer,
  linkMails,
  type RelyingParty,
  type ServerLog,
  type ServiceOptions,
  type SignInPages,
  throttleOn,
} from '@freehold/service'
import type { Settings } from '../config/settings.ts'
import { invalid } from '../input/invalid.ts'
import { isLoopback } from '../opening/loopback.ts'

/** The address in the links of mails. Nobody but the users of this machine reaches a server on loopback. */
function addressOf({ publicUrl, host, port, trustedProxies }: Settings): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '')
  if (!isLoopback(host) || trustedProxies > 0 || port === 0)
    throw invalid('Sign-in needs the address of its links: set FREEHOLD_PUBLIC_URL, such as https://accounts.example.')
  return `http://127.0.0.1:${port}`
}

/** The service's own table: guesses, and sign-ins that were used. */
type OwnTable = Parameters<typeof throttleOn>[0]

/** Mails that tell of invitations, once sign-in is open. */
export function tellingInvitations(mailing: Mailing): { readonly mailing: Mailing; readonly to: (signIn: SignInPages) => void } {
  let signIn: SignInPages['signIn'] | undefined
  return {
    mailing: { ...mailing, invited: async (user) => signIn?.invite(user) },
    to: (pages) => {
      signIn = pages.signIn
    },
  }
}

/**
 * The sign-in of the served design whose people have passwords. Undefined without a file of data keys. Throws `InvalidInput` where no served design has
 * such people, and without an address for links.
 */
export async function openSignIn(
  tables: ServiceOptions['tables'],
  counts: OwnTable,
  settings: Settings,
  mailing: Mailing | undefined,
  log: ServerLog,
): Promise<SignInPages | undefined> {
  const { dataKeys, publicUrl } = settings
  if (dataKeys === undefined) return undefined
  const [served] = [...tables.values()].filter(({ module }) => credentialsOf(module) !== undefined)
  const store = served && credentialsOf(served.module)?.(served.table)
  if (served === undefined || store === undefined)
    throw invalid('No served design has people who sign in with a password: serve account-management.')
  const address = addressOf(settings)
  // Loaded here alone: it brings libraries in machine code.
  const [{ signInOf }, { dataKeysIn }] = await Promise.all([import('@freehold/frame/credentials'), import('./data-key-file.ts')])
  const product = mailing?.mailer.from.name ?? new URL(address).host
  const say = log.from('sign-in')
  const sendLink =
    mailing === undefined
      ? () => say('A link was asked for, and no mails are sent: set FREEHOLD_MAIL.', 'warn')
      : linkMails({ mailer: mailing.mailer, product, address, onFailure: (sentence) => say(sentence, 'warn') })
  const { now } = served.table.runtime
  return {
    signIn: signInOf({ store, keys: await dataKeysIn(dataKeys), throttle: throttleOn(counts), now, product, sendLink }),
    product,
    publicUrl,
  }
}

/**
 * The sign-in to the console at those issuers that have one. Undefined without any. Throws `InvalidInput` without an address to which an issuer sends
 * browsers back.
 */
export async function openConsoleSignIn(
  issuers: readonly Issuer[],
  table: OwnTable,
  settings: Settings,
): Promise<RelyingParty | undefined> {
  if (issuers.every(({ signIn }) => signIn === undefined)) return undefined
  // On this machine each request tells its port.
  addressOf({ ...settings, port: settings.port || 1 })
  // Loaded here alone: nobody else needs the library.
  const { relyingParty } = await import('@freehold/service/console-sign-in')
  return relyingParty({ issuers, table })
}
