import { attributeDifferences, type EntityVersions } from './attribute-differences.ts'
import { backfill, breaking, type CodeOf, compatible, type Difference, isSame, itemsOf, pairs, type Versions } from './difference.ts'
import type { LockedEntity, LockedReference } from './lock.ts'

const shown = ([partition, sort]: readonly [string, string]) => `${partition} / ${sort}`

function added({ before }: Versions, name: string, is: LockedEntity): Difference {
  const at = `entities.${name}`
  const owner = is.owner === undefined ? undefined : before.entities[is.owner]
  if (is.owner !== undefined && owner !== undefined)
    return backfill(
      'NewDerivedItem',
      at,
      `Is a new ${is.kind === 'guard' ? 'uniqueness guard' : 'lookup item'}: each item of ${is.owner} gets one. Two owners of one value are told.`,
      itemsOf(before, is.owner, owner),
    )
  const [side] = (is.sides ?? []).filter((each) => each !== name && before.entities[each] !== undefined)
  const other = side === undefined ? undefined : before.entities[side]
  if (side !== undefined && other !== undefined)
    return backfill(
      'NewSide',
      at,
      `Is another item of an edge: each item of ${side} gets one. Have it in the additions of the edge: else it brings an edge back that a program of the former version has removed.`,
      itemsOf(before, side, other),
    )
  return compatible('NewEntity', at, 'Is new.')
}

function removed({ before, after }: Versions, name: string, was: LockedEntity): Difference {
  const at = `entities.${name}`
  const items = itemsOf(before, name, was)
  const key = after.dropped?.[name]
  if (key !== undefined && isSame(key, was.key))
    return backfill('DroppedEntity', at, 'Is dropped: its items are passed over until the migration removes them.', items)
  return breaking(
    'GoneEntity',
    at,
    `Is gone, and its items are not. They are items of no entity, which reads tell as malformed.`,
    `Declare it in dropped, { ${name}: ['${was.key.join("', '")}'] }, and migrate.`,
    'Leave it out there, too.',
  )
}

/** What finds an item by another key. */
function besideKey({ kind }: LockedEntity): string {
  if (kind === 'entity') return 'add a lookup item (mirror) with the new one that carries what is read'
  return kind === 'edge' ? 'add another item of the edge with the new one' : 'add another one of the same owner with the new one'
}

function keyDifferences({ name, before, was, is }: EntityVersions): readonly Difference[] {
  const at = `entities.${name}.key`
  const found: Difference[] = []
  if (!isSame(was.key, is.key))
    found.push(
      breaking(
        'OtherKey',
        at,
        `Was ${shown(was.key)}, and is ${shown(is.key)}. The items that are there lie under the former key.`,
        `Keep the key, ${besideKey(is)}, and migrate.`,
        `Read by the new key.${is.kind === 'entity' ? '' : ` A later version declares ${name} in dropped.`}`,
      ),
    )
  for (const [index, old, now] of pairs(was.indexes, is.indexes)) {
    const where = `entities.${name}.indexes.${index}`
    if (isSame(old, now)) continue
    if (old === undefined) found.push(backfill('NewIndex', where, `Is new: each item of ${name} gets its key.`, itemsOf(before, name, was)))
    else if (now === undefined)
      found.push(
        backfill(
          'GoneIndex',
          where,
          `Is gone: the key is taken from the items, which stand in the index until then.`,
          itemsOf(before, name, was, `with ${index}PK`),
        ),
      )
    else
      found.push(
        breaking(
          'OtherIndexKey',
          where,
          `Was ${shown(old)}, and is ${shown(now)}. Until all items have the new key, a query of the index misses some, in either version.`,
          `Keep ${index}, give the new key another index, and migrate.`,
          `Read by that index. A later version takes ${index} away.`,
        ),
      )
  }
  return found
}

const target = ({ attribute, to, when = {} }: LockedReference) => JSON.stringify([attribute, to, when])

function referenceDifferences({ name, before, was, is }: EntityVersions): readonly Difference[] {
  const [old, now] = [was.references ?? [], is.references ?? []].map((all) => Object.fromEntries(all.map((each) => [target(each), each])))
  return pairs(old, now).flatMap(([, one, other]) => {
    const { attribute = '', to = '' } = other ?? one ?? {}
    const at = `entities.${name}.references.${attribute}`
    if (isSame(one, other)) return []
    if (other === undefined) return [compatible('GoneReference', at, `No longer refers to ${to}.`)]
    const check = `each item is looked at, and one whose target is not there is told.`
    if (one === undefined)
      return [backfill('NewReference', at, `Refers to ${to} from now on: ${check}`, itemsOf(before, name, was, `with ${attribute}`))]
    const { onRemove: _, ...before_ } = one
    const { onRemove, ...after_ } = other
    if (isSame(before_, after_))
      return [compatible('OtherRemoval', at, `If the item of ${to} is removed, this one's reference means ${onRemove}.`)]
    return [backfill('OtherReference', at, `Finds its item of ${to} otherwise: ${check}`, itemsOf(before, name, was, `with ${attribute}`))]
  })
}

function edgeDifferences({ name, before, was, is }: EntityVersions): readonly Difference[] {
  const at = `entities.${name}.ends`
  const found: Difference[] = []
  const ends = (entity: LockedEntity) => (entity.ends ?? []).map(({ onRemove: _, ...end }) => end)
  if (!isSame(ends(was), ends(is)))
    found.push(
      breaking(
        'OtherEnds',
        at,
        'Joins other entities, or joins them otherwise.',
        'Add the new edge under other names.',
        `Copy the edges, use the new one, and declare the items of the former one in dropped. Start no program of this version before the last one of the former has ended.`,
      ),
    )
  else if (!isSame(was.ends, is.ends))
    found.push(compatible('OtherEndRemoval', at, 'Another of its ends refuses to be removed, or takes the edge with it.'))
  if (!isSame(was.sides, is.sides))
    found.push(compatible('OtherSides', `entities.${name}.sides`, `The edge has the items ${is.sides?.join(', ') ?? 'of one'} now.`))
  if (was.within === is.within) return found
  const within = `entities.${name}.within`
  if (is.within === undefined) return [...found, compatible('GoneWithin', within, `No longer needs ${was.within}.`)]
  return [
    ...found,
    backfill(
      'NewWithin',
      within,
      `Needs ${is.within} from now on: each edge is looked at, and one without it is told.`,
      itemsOf(before, name, was),
    ),
  ]
}

function ruleDifferences({ name, before, was, is }: EntityVersions): readonly Difference[] {
  const at = `entities.${name}`
  const found: Difference[] = []
  const rule = (code: CodeOf<'compatible'>, part: string, message: string) => found.push(compatible(code, `${at}.${part}`, message))
  if (!isSame(was.fixed, is.fixed)) rule('OtherFixed', 'fixed', 'Other attributes are fixed. Items are read as before.')
  if (was.appendOnly !== is.appendOnly)
    rule(
      'OtherAppendOnly',
      'appendOnly',
      is.appendOnly ? 'Is never updated or removed from now on.' : 'May be updated and removed from now on.',
    )
  if (was.sequence !== is.sequence) rule('OtherSequence', 'sequence', 'Counts its numbers otherwise.')
  if (was.expires !== is.expires) {
    const message =
      is.expires === undefined
        ? 'No longer expires: the ttl is taken from its items, by which DynamoDB would delete them.'
        : `Expires at ${is.expires}: each item gets its ttl.`
    found.push(backfill('OtherExpiry', `${at}.expires`, message, itemsOf(before, name, was, `with ${is.expires ?? 'ttl'}`)))
  }
  const [old, now] = [was.schema ?? 0, is.schema ?? 0]
  if (now > old)
    found.push(
      backfill(
        'NewSchema',
        `${at}.schema`,
        `Was ${old}, and is ${now}: its upcast gives each item its new form.`,
        itemsOf(before, name, was, `with a schema below ${now}`),
      ),
    )
  if (now < old)
    found.push(
      breaking(
        'LowerSchema',
        `${at}.schema`,
        `Was ${old}, and is ${now}. Nothing leads back from the higher number.`,
        `Let it be ${old + 1}, with an upcast that gives the wanted form, and migrate.`,
        'Leave that number.',
      ),
    )
  return found
}

function changed(versions: EntityVersions): readonly Difference[] {
  const { name, was, is } = versions
  if (was.kind !== is.kind || was.owner !== is.owner) {
    const [old, now] = [was, is].map(({ kind, owner }) => (owner === undefined ? kind : `${kind} of ${owner}`))
    const message = `Was an item of the kind ${old}, and is one of the kind ${now}.`
    return [
      breaking(
        'OtherPart',
        `entities.${name}`,
        message,
        'Add it under another name, and migrate.',
        `Read that one. A later version declares ${name} in dropped.`,
      ),
    ]
  }
  const rules =
    was.owner === undefined ? [...referenceDifferences(versions), ...edgeDifferences(versions), ...ruleDifferences(versions)] : []
  return [...keyDifferences(versions), ...attributeDifferences(versions), ...rules]
}

/** The differences of the entities. A rule of an owner is told once, and not again of its guards and lookup items. */
export function entityDifferences(
  versions: Versions,
  formerNames: (entity: string) => Readonly<Record<string, string>>,
): readonly Difference[] {
  const { before, after } = versions
  return pairs(before.entities, after.entities).flatMap(([name, was, is]): readonly Difference[] => {
    if (was === undefined) return is === undefined ? [] : [added(versions, name, is)]
    if (is === undefined) return [removed(versions, name, was)]
    return changed({ ...versions, name, was, is, formerNames: formerNames(name) })
  })
}
