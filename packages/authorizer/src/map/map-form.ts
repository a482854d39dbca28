import { z } from 'zod'
import { algorithms, asymmetric } from '../token/algorithms.ts'

const name = z.string().min(1).max(1_024)
const names = z.union([name.transform((one) => [one]), z.array(name).min(1)])

/** A key set has public keys alone: a secret or a private key in a file that is deployed is a secret no more. */
const publicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }).refine((key) => !Object.hasOwn(key, 'd'), 'is a private key')

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
const keysAddress = z.url().refine((address) => {
  const { protocol, hostname, username } = new URL(address)
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname)))
}, 'is no https address')

const token = z
  .strictObject({
    issuer: names,
    audience: names,
    algorithms: z.array(z.enum(algorithms as readonly string[])).min(1),
    keys: z.union([
      z.literal('secret'),
      z.strictObject({ jwks: keysAddress }),
      z.strictObject({ inline: z.object({ keys: z.array(publicKey).min(1) }) }),
    ]),
    user: name.default('sub'),
    type: name.optional(),
    tolerance_s: z.int().min(0).max(300).default(0),
  })
  .superRefine(({ algorithms: allowed, keys }, context) => {
    // A public key must never be taken for a secret.
    const misfits = allowed.filter((each) => (asymmetric as readonly string[]).includes(each) === (keys === 'secret'))
    if (misfits.length > 0)
      context.addIssue({ code: 'custom', path: ['algorithms'], message: `has ${misfits.join(', ')}, which the keys are not for` })
  })

const values = z.record(name, z.json())
const mapped = {
  action: name,
  resource: z.strictObject({ type: z.string().regex(/^[A-Za-z_]\w*(::[A-Za-z_]\w*)*$/), id: name, attributes: values.default({}) }),
  context: values.default({}),
}

/** The form of the map. What its texts say is checked when they are read: `map-of.ts`. */
export const mapForm = z.strictObject({
  token,
  tenant: z
    .strictObject({ path: name, header: name, claim: name, host: name })
    .partial()
    .refine((sources) => Object.keys(sources).length > 0, 'names no source'),
  base_path: z
    .string()
    .regex(/^(\/[\w.~-]+)+$/)
    .optional(),
  cache: z.strictObject({ ttl_s: z.int().min(0).max(3_600), identity: z.array(name).default([]) }).optional(),
  routes: z
    .array(
      z.union([
        z.strictObject({ route: z.string().regex(/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*$/), ...mapped }),
        z.strictObject({ field: z.string().regex(/^(Query|Mutation|Subscription)\.[_A-Za-z]\w*$/), ...mapped }),
      ]),
    )
    .min(1),
})

export type MapForm = z.infer<typeof mapForm>
