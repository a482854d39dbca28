import { isFreeholdError } from '@freehold/table'
import { openCursor, sealCursor } from '@freehold/table/runtime'

type Runtime = Parameters<typeof sealCursor>[0]

/** What the browser keeps for us while it is at an issuer. It can neither read nor change it. */
export interface KeptSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** When it began. */
  readonly at_ms: number
  /** The address to which the issuer sends the browser back. */
  readonly back: string
  /** The design whose user signs in. */
  readonly design: string
  /** The text of the session that the browser had, which ends. */
  readonly former?: string | undefined
}

/** A sign-in at one issuer is none at another. */
const bindingOf = (name: string) => ({ kind: 'sign-in', name, parameters: {} }) as const

export const sealSignIn = (runtime: Runtime, name: string, kept: KeptSignIn): string => sealCursor(runtime, bindingOf(name), { ...kept })

/** Undefined for text that this service has not sealed for a sign-in at this issuer. */
export function openSignIn(runtime: Runtime, name: string, text: string | undefined): KeptSignIn | undefined {
  if (text === undefined) return undefined
  try {
    // The seal says that `sealSignIn` made it.
    return openCursor(runtime, bindingOf(name), text) as unknown as KeptSignIn
  } catch (error) {
    if (isFreeholdError(error, 'InvalidCursor')) return undefined
    throw error
  }
}
