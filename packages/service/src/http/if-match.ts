import { isFreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { problem, problemOf } from './problem.ts'
import type { Answer } from './route.ts'

/** The entity tag of an item: its version (RFC 9110, section 8.8.3). */
export function entityTag(item: unknown): Record<string, string> {
  const version = typeof item === 'object' && item !== null && 'version' in item ? item.version : undefined
  return typeof version === 'number' ? { ETag: `"${version}"` } : {}
}

/** An item that another program wrote has version 0. */
const versionForm = /^(?:0|[1-9]\d{0,15})$/
const refused = (name: string, message: string) => invalidInput('The request', [{ path: [name], message }])

/** Each is tried in turn. */
const tags_max = 16
const tagForm = /^(?:\s*,)*\s*((?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*")\s*(?=,|$)/

/** The entity tags of a field (RFC 9110, section 13.1.1), or `*`. Undefined for a text that is neither. */
function readTags(text: string): readonly string[] | '*' | undefined {
  if (text.trim() === '*') return '*'
  const tags: string[] = []
  let rest = text
  for (let found = tagForm.exec(rest); found !== null; found = tagForm.exec(rest)) {
    tags.push(found[1] ?? '')
    rest = rest.slice(found[0].length)
  }
  return tags.length > 0 && /^[\s,]*$/.test(rest) ? tags : undefined
}

/** The tags of `If-Match`. Throws `InvalidInput`, since a condition that is not understood must not count as none. */
function readIfMatch(text: string): readonly string[] | '*' {
  const tags = readTags(text)
  if (tags === undefined) throw refused('If-Match', 'is neither * nor a list of entity tags, such as "1", "2"')
  if (tags.length > tags_max) throw refused('If-Match', `has more than ${tags_max} entity tags`)
  return tags
}

/** No item comes to have it. */
const noVersion = Number.MAX_SAFE_INTEGER

/**
 * The versions of which the item of a write must have one, from the header `If-Match` or the query parameter `version`. Undefined if any version is accepted.
 * Tags are compared strongly (RFC 9110, section 13.1.1): a weak one is no item's.
 */
export function wantedVersions(ifMatch: string | undefined, version: string | undefined): readonly number[] | undefined {
  if (ifMatch !== undefined && version !== undefined) throw refused('version', 'is given together with If-Match: give only one of them')
  if (version !== undefined) {
    if (!versionForm.test(version)) throw refused('version', 'is not a whole number from 0')
    return [Number(version)]
  }
  const tags = ifMatch === undefined ? '*' : readIfMatch(ifMatch)
  if (tags === '*') return undefined
  const versions = tags.map((tag) => tag.slice(1, -1)).filter((text, at) => tags[at]?.startsWith('"') && versionForm.test(text))
  return versions.length === 0 ? [noVersion] : [...new Set(versions.map(Number))]
}

const noneMatches = () =>
  problem(
    'VersionConflict',
    'The item has none of the entity tags of If-Match, where a weak one matches none: read it again, then retry.',
    {
      status: 412,
    },
  )

/** True if a tag of an answer is one of a field's. Weakly compared, two tags are the same whether or not they are weak (RFC 9110, section 8.8.3.2). */
const isAmong = (tag: string, tags: readonly string[], isWeak: boolean) =>
  tags.some((each) => each === tag || (isWeak && each === `W/${tag}`))

/**
 * The answer to a GET with its conditions (RFC 9110, section 13.2.2), which are looked at if it would be answered without them. An `If-None-Match` that cannot be
 * read is none: its caller gets the item.
 */
export function onConditions(answer: Answer, ifMatch: string | undefined, ifNoneMatch: string | undefined): Answer {
  if (answer.status !== 200 || (ifMatch === undefined && ifNoneMatch === undefined)) return answer
  const { ETag: tag } = answer.headers ?? {}
  if (tag === undefined) return answer
  const wanted = ifMatch === undefined ? '*' : readIfMatch(ifMatch)
  if (wanted !== '*' && !isAmong(tag, wanted, false)) return noneMatches()
  const had = ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch)
  const isKnown = had !== undefined && (had === '*' || isAmong(tag, had, true))
  // It repeats what a cache goes by (RFC 9110, section 15.4.5), and has no content that is coded.
  const { 'Content-Encoding': _, ...kept } = answer.headers ?? {}
  return isKnown ? { status: 304, headers: kept } : answer
}

/** Refuses a condition on what makes something: its caller would believe that it was held to. */
export function refuseIfMatch({ ifMatch }: { readonly ifMatch: string | undefined }): void {
  if (ifMatch === undefined) return
  throw invalidInput('The request', [{ path: ['If-Match'], message: 'is for items that are there, and this makes one' }])
}

/** Refuses the condition of a read on a change of what is there: its caller would believe that it was held to. */
export function refuseIfNoneMatch(headers: Pick<Headers, 'get'>): void {
  if (headers.get('if-none-match') !== null)
    throw refused('If-None-Match', 'is for reads: name the version that is to be changed by If-Match')
}

const isOtherVersion = (error: unknown) => isFreeholdError(error, 'VersionConflict')

/**
 * Writes on a condition. A version conflict has a status of its own if the request has `If-Match` (RFC 9110, section 13.1.1). Of several versions each is tried.
 * @param versions those that the item may have; undefined for any
 * @param isOther true for an error that says that another version may be meant
 */
export async function onCondition(
  ifMatch: string | undefined,
  versions: readonly number[] | undefined,
  write: (version: number | undefined) => Promise<Answer>,
  isOther: (error: unknown) => boolean = isOtherVersion,
): Promise<Answer> {
  const [first, ...others] = versions ?? []
  try {
    return await write(first)
  } catch (error) {
    if (others.length > 0 && isOther(error)) return onCondition(ifMatch, others, write, isOther)
    if (ifMatch === undefined || !isFreeholdError(error, 'VersionConflict')) throw error
    return first === noVersion ? noneMatches() : problemOf(error, { status: 412 })
  }
}
