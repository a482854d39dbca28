import { createHash } from 'node:crypto'
import type { PackedPolicies } from '@freehold/frame/cedar'
import { invalidInput } from '@freehold/table/runtime'

/** What a function need not read again: its map, and its policies. Each counts for the files that it was made of, and for no others. */
export interface PackedAuthorizer {
  readonly map: {
    readonly version: string
    /** Not checked yet: that is done at the start, as for any map. */
    readonly value: unknown
  }
  readonly policies: PackedPolicies
}

/** It lies beside the map. */
export const packedFile = 'authorizer.packed.json'

/** The same text has the same version. */
export const versionOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Throws `InvalidInput` for text that is no JSON. */
export function readPacked(text: string): PackedAuthorizer {
  try {
    // `packAuthorizer` wrote it. It is a part of the function, as its code is.
    return JSON.parse(text) as PackedAuthorizer
  } catch {
    throw invalidInput('The authorizer', [{ path: [packedFile], message: 'is not JSON: pack it again' }])
  }
}
