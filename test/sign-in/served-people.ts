import { createHash, randomUUID } from 'node:crypto'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { accountManagementModule } from '../../packages/designs/src/account-management/index.ts'
import {
  openDataKeys,
  type PasswordHashing,
  passwordHashing,
  type SignInOrigin,
  signInOf,
  withNewDataKey,
} from '../../packages/frame/src/credentials/index.ts'
import { relyingParty } from '../../packages/service/src/console-sign-in/index.ts'
import { createService, type Issuer, linkMails, openKeys, serviceDesign, throttleOn } from '../../packages/service/src/index.ts'
import { engineSender } from '../engine/endpoint.ts'

/** Hashes at once, and counts: a hash is of its password alone. */
export function countedHashing(): PasswordHashing & { readonly count: () => number } {
  let hashes = 0
  const hash = async (password: string) => {
    hashes++
    return `$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$${createHash('sha256').update(password).digest('base64').replace('=', '')}`
  }
  return {
    count: () => hashes,
    hash,
    verify: async (password, stored) => (await hash(password)) === stored,
    isOutdated: passwordHashing.isOutdated,
  }
}

export const product = 'Kontor'

const start_ms = Date.parse('2026-03-01T12:00:00Z')

/** The service with its sign-in, on account-management, in memory. The clock stands until a test moves it, unless that of the machine is asked for. */
export async function servedPeople({
  hashing = countedHashing() as PasswordHashing,
  address = 'http://127.0.0.1:3000',
  clock = () => start_ms,
  issuers = [] as readonly Issuer[],
} = {}) {
  const sender = engineSender()
  let passed_ms = 0
  const now = () => new Date(clock() + passed_ms)
  const table = connect(accountManagementModule.design, {
    ...{ sender, table: `accounts-${randomUUID()}`, now },
    jobHandlers: accountManagementModule.flows.jobHandlers,
  })
  await ensureTable(table.runtime)
  const keysTable = `keys-${randomUUID()}`
  const apiKeys = await openKeys({ sender, table: keysTable, now })
  const counts = connect(serviceDesign, { sender, table: keysTable, now })
  const keys = await openDataKeys(await withNewDataKey(undefined, now()))
  const mails: { to: string; subject: string; text: string }[] = []
  const mailer = {
    send: async ({ to, subject, text }: { to: { address: string }; subject: string; text: string }) => {
      mails.push({ to: to.address, subject, text })
      return { messageId: 'm' }
    },
  }
  const store = accountManagementModule.credentials(table)
  const sendLink = linkMails({ mailer, product, address, onFailure: () => undefined })
  const signIn = signInOf({ store, keys, throttle: throttleOn(counts), now, product, hashing, sendLink })
  const flows = accountManagementModule.flows.mailedBy({ mailer: { from: { address: 'a@b.example' }, ...mailer }, invited: signIn.invite })
  const service = createService({
    tables: new Map([['account-management', { module: accountManagementModule, table }]]),
    keys: apiKeys,
    issuers,
    consoleSignIn: relyingParty({ issuers, table: counts }),
    log: () => undefined,
    signIn: { signIn, product },
  })
  /** The keys, as another process has them. */
  const keysElsewhere = () => openKeys({ sender, table: keysTable, now })
  const operator = flows.of(table, { actor: { kind: 'operator', name: 'test' } })
  const client = await operator.createClient({ name: 'Ours' })
  /** The link of the newest mail to an address. */
  const linkTo = (to: string) => {
    const text = mails.findLast((mail) => mail.to === to)?.text ?? ''
    return /https?:\/\/\S+/.exec(text)?.[0] ?? ''
  }
  return {
    ...{ table, counts, apiKeys, keysElsewhere, signIn, service, operator, client, mails, linkTo, keys, store, now },
    hashOf: hashing.hash,
    pass: (ms: number) => {
      passed_ms += ms
    },
    /** A user who has accepted, with this password. */
    person: async (email: string, password: string) => {
      const { id } = await operator.inviteUser({
        client_id: client.id,
        email,
        user_type: 'client_admin',
        first_name: 'Ada',
        last_name: 'Lovelace',
      })
      await operator.acceptInvitation({ id, password_hash: await hashing.hash(password) })
      return id
    },
  }
}

export type ServedPeople = Awaited<ReturnType<typeof servedPeople>>
export const from: SignInOrigin = { ip_address: '192.0.2.1' }
