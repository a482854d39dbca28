import { type Lookup, loadRecord, type Name, nameLookup, type Sources, takeWhole, wanted } from '@freehold/frame/decision'
import { whenThere } from '@freehold/table/runtime'
import { EmailIdentity, LocationCodeLookup } from '../design.ts'

/** Users by their e-mail addresses, which are always read. */
export function userLookup(sources: Sources, name: Name): Lookup<string> {
  return nameLookup(
    sources,
    'user',
    name,
    (email) => loadRecord(sources, wanted(EmailIdentity, { email })),
    ({ userId }) => userId,
  )
}

/** Locations by their codes, which are definitions. */
export function locationLookup(sources: Sources, name: Name): Lookup<string> {
  const load = (locationCode: string) => {
    const at = wanted(LocationCodeLookup, { locationCode })
    return whenThere(takeWhole(sources, [at]), (taken) => taken(at))
  }
  return nameLookup(sources, 'location', name, load, ({ locationId }) => locationId)
}
