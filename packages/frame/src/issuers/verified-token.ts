import type { Fields } from '../gateway/gateway-event.ts'

/** What a design does with a person whom it does not know yet. */
export const firstSights = ['link', 'make', 'refuse'] as const
export type FirstSight = (typeof firstSights)[number]

/** A person as an issuer names it. A design with people has the person's identity by `provider` and `subject`. */
export interface VerifiedPerson {
  /** The short name of the issuer in the settings: no two issuers have one. */
  readonly provider: string
  /** The claim `iss`. */
  readonly issuer: string
  /** What the issuer calls the person, for good: text of at most 1,024 characters without control characters. */
  readonly subject: string
  readonly address?: string | undefined
  /** True only if the token says so of this address: an address that anybody may write into a profile links nobody. */
  readonly isAddressVerified: boolean
  /** The id of the person's tenant, as the design writes it. Absent if the settings list tenants: their claim then only filters. */
  readonly tenant?: string | undefined
  readonly name?: string | undefined
  /** What the settings say of a person who is not known yet. */
  readonly firstSight: FirstSight
}

/** A token whose signature and claims were verified. */
export interface VerifiedToken {
  /** The claim `iss`. */
  readonly issuer: string
  /** The designs that its user may use. All, if it is undefined. */
  readonly designs?: readonly string[] | undefined
  /** What names the user: its id in the design, or who it is to its issuer. */
  readonly user: { readonly id: string } | VerifiedPerson
  /** All claims of the token, for whom the settings tell which to use. */
  readonly claims: Fields
}
