import { isFreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { problemOf } from './problem.ts'
import type { Answer } from './route.ts'

/** The entity tag of an item: its version (RFC 9110, section 8.8.3). */
export function entityTag(item: unknown): Record<string, string> {
  const version = typeof item === 'object' && item !== null && 'version' in item ? item.version : undefined
  return typeof version === 'number' ? { ETag: `"${version}"` } : {}
}

/** An item that another program wrote has version 0. */
const versionForm = /^(?:0|[1-9]\d{0,15})$/

function wholeNumber(text: string, name: string, message: string): number {
  if (!versionForm.test(text)) throw invalidInput('The request', [{ path: [name], message }])
  return Number(text)
}

/**
 * The expected version of a write, from the header `If-Match` or the query parameter `version`. Undefined if any version is accepted.
 * `If-Match` has one tag, or `*` for any version.
 */
export function wantedVersion(ifMatch: string | undefined, version: string | undefined): number | undefined {
  if (ifMatch !== undefined && version !== undefined)
    throw invalidInput('The request', [{ path: ['version'], message: 'is given together with If-Match: give only one of them' }])
  if (version !== undefined) return wholeNumber(version, 'version', 'is not a whole number from 0')
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, tag = ''] = /^"([^"]*)"$/.exec(ifMatch.trim()) ?? []
  return wholeNumber(tag, 'If-Match', 'is not a version in quotation marks, as in ETag')
}

/** Refuses a condition on what makes something: its caller would believe that it was held to. */
export function refuseIfMatch({ ifMatch }: { readonly ifMatch: string | undefined }): void {
  if (ifMatch === undefined) return
  throw invalidInput('The request', [{ path: ['If-Match'], message: 'is for items that are there, and this makes one' }])
}

/** Writes on a condition. A version conflict has a status of its own if the request has `If-Match` (RFC 9110, section 13.1.1). */
export async function onCondition(ifMatch: string | undefined, write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write()
  } catch (error) {
    if (ifMatch !== undefined && isFreeholdError(error, 'VersionConflict')) return problemOf(error, { status: 412 })
    throw error
  }
}
