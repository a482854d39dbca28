import { createHash } from 'node:crypto'
import { whenThere } from '@freehold/table/runtime'
import { loadRecord, lookupByIndex } from '../../decision/load.ts'
import { type Lookup, type Name, nameLookup } from '../../decision/lookup.ts'
import { isUnusable, type LoadResult, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { asText, type Fields } from '../link.ts'
import type { SubjectScope } from './path-lookup.ts'
import type { Scoped } from './scoped.ts'

/** An id that no subject has: the same for the same text, so that a program that asks about nobody reads no more than about somebody. */
function idOfNobody(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  // Version 8 of RFC 9562, which nobody makes ids by.
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}

export interface SubjectLookup extends Lookup<string> {
  /** The outermost scope that the text of a guard names once it was looked up: a hint of where the subject's roles are. */
  within(): string | undefined
  /**
   * Call it with the subject as it was read. True if the subject is called otherwise by now: another program changes no guard. And true if, within a tenant
   * scope, the text names nobody there: nobody at all, or a guest without a role at this tenant. A tenant must not be able to tell one from the other.
   */
  isNobody(subject: LoadResult<Fields> | undefined): boolean
}

/** The look-up of a subject. Within a tenant scope what hangs on nobody is read as well, so that an answer about nobody takes as many round trips. */
export function subjectLookup({ subject: { called }, of }: Scoped, sources: Sources, name: Name): SubjectLookup {
  const { names, runtime } = sources
  const isScoped = runtime.tenantScope !== undefined
  const by = called?.by ?? ''
  let within: string | undefined
  let guest: string | undefined
  const scopeIn = (guard: Fields) => (of === undefined ? undefined : asText(guard[of]))
  const load = async (text: string): Promise<LoadResult<Fields>> => {
    // A name is looked up by a guard alone.
    const at = wanted(called?.guard as NonNullable<typeof called>['guard'], { [by]: text })
    const found: LoadResult<Fields> = await loadRecord(sources, at)
    // A guest is looked for as nobody is, by the index, too, so that a tenant cannot tell one from the other.
    const isGuest = isScoped && found.state === 'found' && scopeIn(found.item) === undefined && names.get(`${by} ${text}`) === undefined
    const byIndex = isGuest || found.state === 'missing' ? await lookupByIndex(sources, at) : found
    return found.state === 'missing' ? byIndex : found
  }
  const idOf = (guard: Fields) => {
    const id = String(guard[called?.id ?? ''])
    within = scopeIn(guard)
    if (within === undefined) guest = id
    return id
  }
  // Remembered, a guest would answer a round trip sooner than nobody does.
  const lookup = nameLookup(sources, by, name, load, idOf, (guard) => !isScoped || scopeIn(guard) !== undefined)
  return {
    ...lookup,
    find: () =>
      whenThere(lookup.find(), (found) => (isScoped && isUnusable(found) && found.state === 'missing' ? idOfNobody(name.text) : found)),
    within: () => within,
    isNobody: (subject) => {
      if (name.by !== 'lookup') return false
      if (subject?.state === 'found' && subject.item[by] !== name.text) return true
      if (!isScoped) return false
      if (subject?.state === 'found' && guest !== undefined) names.set(`${by} ${name.text}`, guest)
      return subject === undefined ? within === undefined : subject.state === 'missing'
    },
  }
}

/** The outermost scope of the subject of a question. */
export const scopeOfSubject =
  ({ subject, of }: Scoped, sources: Sources, name: Name, lookup: SubjectLookup): SubjectScope =>
  async () => {
    const id = name.by === 'id' ? name.text : await lookup.find()
    const found: LoadResult<Fields> | undefined =
      id === undefined || isUnusable(id) ? undefined : await loadRecord(sources, wanted(subject.entity, { [subject.id]: id }))
    if (found?.state !== 'found') return undefined
    return (of === undefined ? undefined : asText(found.item[of])) ?? 'none'
  }
