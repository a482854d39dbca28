import type { Issue } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { isFields } from '../gateway/gateway-event.ts'
import { isPlainText } from '../reading/read-token.ts'
import { type Algorithm, algorithms, asymmetric, bySecret } from './algorithms.ts'
import { isKeyAddress } from './key-address.ts'
import { type FirstSight, firstSights } from './verified-token.ts'

/** How a token names its user. It is never found by an e-mail address, which a user of another issuer may have, too. */
export type UserOfToken =
  /** The claim that has the user's id, as the design writes it: `sub`, say. */
  | { readonly claim: string }
  /** By issuer and subject: the design has the user's identity at this provider. `firstSight` is `refuse` unless given. */
  | { readonly provider: string; readonly firstSight?: FirstSight | undefined }

/** The claims that tell of a person. Names with a namespace, such as `https://acme.com/tenant`, are names like others. */
export interface ClaimNames {
  /** By default `sub`. */
  readonly subject?: string | undefined
  /** By default `email`. */
  readonly address?: string | undefined
  /** The flag which says that the address is verified: by default `email_verified` for that in `email`, and none for another. */
  readonly verified?: string | undefined
  /** By default none. */
  readonly tenant?: string | undefined
  /** By default `name`. */
  readonly name?: string | undefined
}

/** The application as which a program signs people in at an issuer, by code flow. Its id tokens are for this client. */
export interface ClientOfIssuer {
  readonly client: string
  /** Absent for a public client. It is in no log and no message. */
  readonly secret?: string | undefined
}

/** An issuer whose tokens are accepted: one form for service, authorizer and programs. */
export interface Issuer {
  /** The claim `iss`, exactly. Several names are one issuer, which has one set of keys. */
  readonly issuer: string | readonly string[]
  /** The claim `aud` has one of these. Without it, tokens that are for an `aud` alone are refused. */
  readonly audience?: string | readonly string[] | undefined
  /** The applications whose tokens are accepted: the claim `azp`, and `client_id` of an access token of Cognito, which needs no `aud`. */
  readonly clients?: string | readonly string[] | undefined
  /** The https address of its key set, or the keys, or `secret`. Without it the issuer's `/.well-known/openid-configuration` tells the address. */
  readonly keys?: string | JSONWebKeySet | undefined
  /** The accepted algorithms. */
  readonly algorithms: readonly Algorithm[]
  readonly user: UserOfToken
  readonly claims?: ClaimNames | undefined
  /** The values of the claim `claims.tenant` that are accepted: it only filters then. Without them it has the id of a tenant, as the design writes it. */
  readonly tenants?: readonly string[] | undefined
  /** The `typ` of the header. Without it: none, `JWT` or `at+jwt`. */
  readonly type?: string | undefined
  /** How far the clock of the issuer may differ, in seconds. */
  readonly leeway_s?: number | undefined
  /** The designs that its users may use. By default all that are served. */
  readonly designs?: readonly string[] | undefined
  /** By this application people sign in to the console. The issuer's metadata tell where. */
  readonly signIn?: ClientOfIssuer | undefined
}

const text = z.string('is not text').refine((value) => value.trim() !== '' && value.length <= 1_024 && isPlainText(value), 'is not text')
const texts = z.array(text, 'is not a list of texts').min(1, 'is not a list of texts')
const textOrTexts = z.union([text, texts], 'is neither text nor a list of texts')

/** A key set has public keys alone: a secret or a private key in a file that is deployed is a secret no more. */
const publicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }).refine((key) => !Object.hasOwn(key, 'd'), 'is a private key')
const keysMessage = 'is neither an https address nor a set of public keys'
const keySet = z.looseObject({ keys: z.array(publicKey).min(1) })

const userMessage = 'is neither { claim } nor { provider }; a user is never found by its e-mail address'
const notAddress = text.refine((claim) => claim !== 'email', userMessage)

const signInMessage = 'is not { client, secret }'
/** A name that stands in an address as it is. */
const isInAddress = (name: string) => /^[a-z0-9][a-z0-9._-]{0,99}$/i.test(name)

function form(accepted: readonly Algorithm[]) {
  const message = `is not a list of ${accepted.join(', ')}`
  const names = z.array(z.string(message), message).min(1, message)
  return z
    .strictObject(
      {
        issuer: textOrTexts,
        audience: textOrTexts.optional(),
        clients: textOrTexts.optional(),
        keys: z
          .union([z.string().refine((value) => value === 'secret' || isKeyAddress(value), keysMessage), keySet], keysMessage)
          .optional(),
        algorithms: names.refine((given) => given.every((each) => accepted.some((one) => one === each)), message),
        user: z.union(
          [z.strictObject({ claim: notAddress }), z.strictObject({ provider: text, firstSight: z.enum(firstSights).optional() })],
          userMessage,
        ),
        claims: z.strictObject({ subject: notAddress, address: text, verified: text, tenant: text, name: text }).partial().optional(),
        tenants: texts.optional(),
        type: text.optional(),
        leeway_s: z.int('is no number of seconds').min(0).max(300, 'is more than 300').optional(),
        designs: z.array(text, 'is not a list of designs').min(1, 'is not a list of designs').optional(),
        signIn: z.strictObject({ client: text, secret: text.optional() }, signInMessage).optional(),
      },
      { error: ({ code }) => (code === 'unrecognized_keys' ? undefined : 'is not an object') },
    )
    .refine(({ audience, clients }) => audience !== undefined || clients !== undefined, {
      path: ['audience'],
      message: 'is missing, and so is clients',
      // Also told beside what else is wrong.
      when: ({ value }) => isFields(value),
    })
    .superRefine(({ issuer, keys, algorithms: allowed, user, claims, tenants, signIn }, context) => {
      const add = (path: keyof Issuer, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      if (keys === undefined && !isKeyAddress([issuer].flat()[0] ?? ''))
        add('keys', 'is missing, and the issuer is no https address that tells them')
      // A public key must never be taken for a secret.
      const misfits = allowed.filter((each) => bySecret(each) !== (keys === 'secret'))
      if (misfits.length > 0) add('algorithms', `has ${misfits.join(', ')}, which the keys are not for`)
      if (tenants !== undefined && claims?.tenant === undefined) add('tenants', 'needs claims.tenant')
      if (signIn === undefined) return
      if (!('provider' in user) || !isInAddress(user.provider)) add('signIn', 'needs user.provider of letters, digits, ".", "_" and "-"')
      if (!isKeyAddress([issuer].flat()[0] ?? '')) add('signIn', 'needs an issuer with an https address')
    })
}

/** Names that are given twice, by their paths. */
function twice(issuers: readonly Issuer[]): readonly Issue[] {
  const seen = new Set<string>()
  return issuers.flatMap(({ issuer, user }, index) => {
    const names = [issuer].flat().map((name) => ['issuer', name])
    // Two issuers under one name could each name the other one's people.
    if ('provider' in user) names.push(['user', user.provider])
    return names.flatMap(([member = '', name]) => {
      const key = JSON.stringify([member, name])
      if (seen.has(key)) return [{ path: [index, member], message: 'is given twice' }]
      seen.add(key)
      return []
    })
  })
}

/**
 * Checks issuers, as a program or a file gives them.
 * @param takesSecret whether a shared secret may sign: each that verifies by one could make tokens, too
 * @throws InvalidInput that names what is wrong
 */
export function readIssuers(given: unknown, { takesSecret = false }: { readonly takesSecret?: boolean } = {}): readonly Issuer[] {
  const list = z.array(form(takesSecret ? algorithms : asymmetric), 'are not a list')
  const read = list.safeParse(given)
  if (!read.success) {
    const issues = read.error.issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === 'symbol' ? '' : part)),
      message,
    }))
    throw invalidInput('The issuers', issues)
  }
  // Algorithms are those that are accepted. Of a key set the form is checked as far as it matters here; jose reads the rest.
  const issuers = read.data as readonly Issuer[]
  const issues = twice(issuers)
  if (issues.length > 0) throw invalidInput('The issuers', issues)
  return issuers
}
