import { readFileSync } from 'node:fs'
import { open } from '@freehold/designs/rebac'
import { openEngine } from '@freehold/engine'
import { signedInBy } from '@freehold/frame/issuers'

export const rebac = open({ engine: await openEngine({ path: 'data' }) })

/** The user of a request, by the token of an issuer. */
export const user = signedInBy(rebac, JSON.parse(readFileSync('issuers.json', 'utf8')))
