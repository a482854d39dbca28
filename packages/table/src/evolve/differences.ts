import { backfill, breaking, compatible, type Difference, type Effect, isSame, itemsOf, pairs, type Versions } from './difference.ts'
import { entityDifferences } from './entity-differences.ts'
import type { Lock, LockedPattern } from './lock.ts'
import { nameDifferences } from './name-differences.ts'
import { inNewNames } from './renames.ts'

function patternDifferences({ before, after }: Versions): readonly Difference[] {
  return pairs(before.patterns, after.patterns).flatMap(([name, was, is]): readonly Difference[] => {
    const at = `patterns.${name}`
    if (was === undefined) return [compatible('NewPattern', at, 'Is new.')]
    if (isSame(was, is)) return []
    const first = 'Add the new one under another name, and let callers use it.'
    if (is === undefined) return [breaking('GonePattern', at, 'Is gone: a call of it fails.', 'Let no caller use it.', 'Leave it out.')]
    if (isSame(calledBy(was), calledBy(is)))
      return [compatible('OtherRequest', at, 'Is answered by another request. A cursor of the former one is refused.')]
    return [breaking('OtherPattern', at, 'Takes or returns something else than callers know.', first, 'Leave the former one out.')]
  })
}

/** What callers know of a pattern: parameters that an old call lacks fail, and so does an item that it does not expect. */
const calledBy = ({ operation, parameters, optional, descending, returns, sort, partition, filters }: LockedPattern) => {
  const called = { operation, parameters, optional, descending, returns }
  // One item is found by its key, whatever that is.
  return operation === 'get' ? called : { ...called, sort, filters, partition: partition.replace(/\{[^}]+\}/g, '{}') }
}

function tenantDifferences({ before: { tenants: was }, after: { tenants: is } }: Versions): readonly Difference[] {
  if (isSame(was, is)) return []
  if (was === undefined)
    return [
      breaking(
        'NewTenants',
        'tenants',
        'The design has tenants from now on. Nobody reads an item that does not say whose it is.',
        "Add the tenant's attribute to each entity, with a default() that says whose an item is, and migrate once no program of the former version runs.",
        'Declare the tenants.',
      ),
    ]
  if (is === undefined)
    return [
      breaking(
        'GoneTenants',
        'tenants',
        'The design has no tenants any more: programs of the former version keep apart what this one does not.',
        'Let every caller act as an operator.',
        'Leave the tenants out. Write no item that refers to one of another tenant before the last program of the former version has ended.',
      ),
    ]
  const owners = ({ by, of }: typeof was) => ({ by, of })
  if (!isSame(owners(was), owners(is)))
    return [
      breaking(
        'OtherTenant',
        'tenants',
        "Another attribute holds the tenant's id. Who reads an item changes with the version that reads it.",
        `Give each item both attributes: the new one has a default() that is the former. Migrate once no program of the former version runs.`,
        'Name the new one as the tenant’s.',
      ),
    ]
  return [compatible('OtherSharing', 'tenants', 'Other items are shared, or hidden from tenants. No item changes.')]
}

function featureDifferences({ before, after }: Versions): readonly Difference[] {
  return pairs(before.features, after.features).flatMap(([name, was, is]): readonly Difference[] => {
    const at = `features.${name}`
    if (isSame(was, is)) return []
    if (is === undefined)
      return [
        breaking(
          'GoneFeature',
          at,
          `Is gone: a deployment that leaves it out is refused.`,
          `Take ${name} in wherever it was left out: drop it from FREEHOLD_WITHOUT, and run adopt.`,
          'Leave the feature out.',
        ),
      ]
    const joined = is.filter((each) => was?.includes(each) !== true && before.entities[each] !== undefined)
    if (joined.length === 0 || was === undefined)
      return [
        compatible(
          was === undefined ? 'NewFeature' : 'OtherFeature',
          at,
          was === undefined ? 'May be left out from now on.' : 'Has other entities.',
        ),
      ]
    return [
      breaking(
        'JoinedFeature',
        at,
        `Has ${joined.join(', ')}, too. A deployment without ${name} has items of it, which are items of no entity then.`,
        `Make a feature of its own of ${joined.join(', ')}.`,
        `Where ${name} is left out, leave that out, too, on a table that has no item of it.`,
      ),
    ]
  })
}

/** Entities of former versions: those that are no longer passed over must be gone. */
function droppedDifferences({ before, after }: Versions): readonly Difference[] {
  return pairs(before.dropped, after.dropped).flatMap(([name, was, is]): readonly Difference[] => {
    const at = `dropped.${name}`
    if (isSame(was, is) || (was === undefined && before.entities[name] !== undefined)) return []
    if (was === undefined) return [compatible('NewDropped', at, 'Its items, if there are any, are passed over.')]
    const items = itemsOf(before, name, { key: was })
    return [
      backfill(
        'GoneDropped',
        at,
        'Is no longer passed over: first finish the migration of the locked version, which removes its items.',
        items,
      ),
    ]
  })
}

function tableDifferences({ before, after }: Versions): readonly Difference[] {
  const found: Difference[] = []
  if (before.design !== after.design)
    found.push(
      breaking(
        'OtherDesignName',
        'design',
        `Was ${before.design}, and is ${after.design}. Callers name it in paths and commands.`,
        'Serve it under both names.',
        'Leave the former name out.',
      ),
    )
  if (before.table !== after.table)
    found.push(
      breaking(
        'OtherTableName',
        'table',
        `The table's name was ${before.table}, and is ${after.table}. A program that names no table would use another one.`,
        `Name the table ${before.table} wherever a program opens it.`,
        'Give the design its new name, or move the items.',
      ),
    )
  if (!isSame(before.tags, after.tags)) found.push(compatible('OtherTags', 'tags', 'The table gets other tags when it is deployed.'))
  if (before.noIndexes !== after.noIndexes)
    found.push(
      compatible('OtherIndexPromise', 'noIndexes', after.noIndexes ? 'Promises that it has no index.' : 'May have indexes from now on.'),
    )
  return found
}

const order: readonly Effect[] = ['breaking', 'backfill', 'compatible']

/** The differences from one version of a design to another, the worst first. None if they are the same. */
export function differences(locked: Lock, after: Lock): readonly Difference[] {
  const { before, formerNames } = inNewNames(locked, after)
  const versions = { before, after }
  const found = [
    ...tableDifferences(versions),
    ...entityDifferences(versions, formerNames),
    ...droppedDifferences(versions),
    ...patternDifferences(versions),
    ...featureDifferences(versions),
    ...tenantDifferences(versions),
    ...nameDifferences(versions),
  ]
  return found.toSorted((one, other) => order.indexOf(one.effect) - order.indexOf(other.effect))
}
