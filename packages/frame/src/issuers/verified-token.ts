import type { Fields } from '../gateway/gateway-event.ts'

/** The answers of a design to a person whom it does not know yet. */
export const firstSights = ['link', 'make', 'refuse'] as const
export type FirstSight = (typeof firstSights)[number]

/** A person as an issuer names it. A design with people has the person's identity by `provider` and `subject`. */
export interface VerifiedPerson {
  /** The short name of the issuer in the settings: no two issuers have one. */
  readonly provider: string
  /** The claim `iss`. */
  readonly issuer: string
  /** The issuer's lasting name of the person: text of at most 1,024 characters without control characters. */
  readonly subject: string
  readonly address?: string | undefined
  /** True only if the token says so of this address: an address that anybody may write into a profile links nobody. */
  readonly isAddressVerified: boolean
  /** The id of the person's tenant, as the design writes it. Absent if the settings list tenants: their claim then only filters. */
  readonly tenant?: string | undefined
  readonly name?: string | undefined
  /** By the settings of the issuer. */
  readonly firstSight: FirstSight
}

/** A token whose signature and claims were verified. */
export interface VerifiedToken {
  /** The claim `iss`. */
  readonly issuer: string
  /** The designs that its user may use. All, if it is undefined. */
  readonly designs?: readonly string[] | undefined
  /** The user by its id in the design, or as the issuer names it. */
  readonly user: { readonly id: string } | VerifiedPerson
  /** All claims of the token. */
  readonly claims: Fields
}
