import { backfill, breaking, compatible, type Difference, isSame, itemsOf, pairs, type Versions } from './difference.ts'
import { kindChange, type ReadKind } from './kind-change.ts'
import type { LockedAttribute, LockedEntity } from './lock.ts'

/** One entity in both versions. */
export interface EntityVersions extends Versions {
  readonly name: string
  readonly was: LockedEntity
  readonly is: LockedEntity
  /** The former name of each attribute that has another now. */
  readonly formerNames: Readonly<Record<string, string>>
}

/** One attribute in both versions. */
interface Changed extends EntityVersions {
  readonly attribute: string
  readonly at: string
  readonly old: LockedAttribute
  readonly now: LockedAttribute
}

const kindOf = ({ kind, limits }: LockedAttribute): ReadKind => ({ kind, limits })
const words = (kind: ReadKind) =>
  kind.limits === undefined ? kind.kind : `${kind.kind} ${JSON.stringify(kind.limits).replaceAll('"', '').replaceAll(',', ', ')}`

/** Items that were written without it are read all the same. An absent set is an empty one. */
const mayBeAbsent = (form: LockedAttribute) =>
  form.presence === 'optional' || form.presence === 'copied' || form.mayLack === true || hasDefault(form) || form.kind === 'set'
const hasDefault = (form: LockedAttribute) => 'default' in form || form.defaultByItem === true

/** True if the items get another form by an upcast. */
const isUpcast = ({ was, is }: Pick<EntityVersions, 'was' | 'is'>) => (is.schema ?? 0) > (was.schema ?? 0)

const readAsGiven = 'Give it a default(), and migrate once no program of the former version runs: each item has it then.'

/** True for an attribute of which keys are made: its values stand in the keys of items that are there. */
function isInKeys({ after, name, is }: EntityVersions, attribute: string): boolean {
  const derived = Object.values(after.entities).filter(({ owner }) => owner === name)
  const keys = [is, ...derived].flatMap(({ key, indexes = {} }) => [key, ...Object.values(indexes)])
  return keys.flat().some((template) => template.includes(`{${attribute}}`))
}

function added({ name, before, was, is }: EntityVersions, attribute: string, now: LockedAttribute): Difference {
  const at = `entities.${name}.attributes.${attribute}`
  if (now.presence === 'copied')
    return backfill(
      'NewCopy',
      at,
      'Each item gets it from the item that it refers to. Until then it is absent.',
      itemsOf(before, name, was),
    )
  if (mayBeAbsent(now)) return compatible('NewAttribute', at, 'Is new, and items without it are read.')
  if (isUpcast({ was, is }))
    return backfill(
      'UpcastAttribute',
      at,
      'Is new: the upcast gives it to each item.',
      itemsOf(before, name, was, `with a schema below ${is.schema}`),
    )
  const message = `Is new, and each item of ${name} that is there lacks it: such an item is malformed.`
  return breaking('NewRequiredAttribute', at, message, readAsGiven, 'Let it be required.')
}

function removed({ name, was, is }: EntityVersions, attribute: string, old: LockedAttribute): Difference {
  const at = `entities.${name}.attributes.${attribute}`
  const alike = Object.entries(is.attributes ?? {}).find(
    ([other, form]) => was.attributes?.[other] === undefined && isSame(kindOf(form), kindOf(old)) && !form.was?.includes(attribute),
  )
  if (alike !== undefined)
    return breaking(
      'UntoldRename',
      at,
      `Is gone, and ${alike[0]} of the same kind is new. Values under the former name are not read: if it is the same, say so by .was('${attribute}').`,
      `Add ${alike[0]} beside ${attribute}${mayBeAbsent(old) ? '' : ', which is optional() from now on and still written'}.`,
      `Leave ${attribute} out.`,
    )
  // A program of the former version changes an item, which is made anew then of what it has: without the attribute that the upcast reads, of nothing.
  if (mayBeAbsent(old) && !isUpcast({ was, is }))
    return compatible('GoneAttribute', at, 'Is gone. Items keep the value, which is no longer read.')
  const message = `Is gone. A program of the former version finds the items malformed that this one writes, as long as both run.`
  return breaking('GoneRequiredAttribute', at, message, 'Let it be optional(), and still write it.', 'Leave it out.')
}

function presenceChange({ at, attribute, name, before, was, old, now }: Changed): Difference | undefined {
  const lacking = itemsOf(before, name, was, `without ${attribute}`)
  if (old.presence !== 'copied' && now.presence === 'copied')
    return backfill('CopiedNow', at, 'Follows its source from now on: each item gets the value that is there.', itemsOf(before, name, was))
  if (now.presence === 'copied' && !isSame(old.from, now.from))
    return backfill('OtherSource', at, 'Is copied from another source: each item gets the value that is there.', itemsOf(before, name, was))
  if (hasDefault(old) && !(isSame(old.default, now.default) && isSame(old.defaultByItem, now.defaultByItem)))
    return backfill(
      'OtherDefault',
      at,
      `Has lost its default, or has another. Items that lack it would change: first finish the migration of the locked version, which writes the former one.`,
      lacking,
    )
  const message = `Items that lack it were read, and are malformed now.`
  if (mayBeAbsent(old) && !mayBeAbsent(now)) return breaking('RequiredNow', at, message, readAsGiven, 'Let it be required.')
  if (old.presence === now.presence && isSame(old.mayLack, now.mayLack) && hasDefault(old) === hasDefault(now)) return undefined
  return compatible(
    'OtherFilling',
    at,
    !mayBeAbsent(old) && mayBeAbsent(now)
      ? 'May be absent from now on. Write it always until no program of the former version runs, which finds items without it malformed.'
      : 'Is filled in otherwise at a creation. Items that are there are read as before.',
  )
}

function kindDifference(changed: Changed): Difference | undefined {
  const { at, attribute, name, before, was, is, old, now } = changed
  const change = kindChange(kindOf(old), kindOf(now))
  if (change === 'same') return undefined
  const message = `Was ${words(kindOf(old))}, and is ${words(kindOf(now))}.`
  const isOtherText = old.kind !== now.kind
  if (isInKeys(changed, attribute) && (change === 'other' || isOtherText))
    return breaking(
      'OtherKindInKey',
      at,
      `${message} It stands in keys, and a key of an item never changes.`,
      `Add the new form as another attribute, which each write fills, too, raise schema with an upcast that makes it of ${attribute}, add a lookup item with the new key, and migrate.`,
      `Read by the new key. ${attribute} stays in the former one.`,
    )
  if (change === 'wider')
    return compatible(
      'WiderKind',
      at,
      `${message} Each stored value is one. Programs of the former version do not read the new values: take them once none runs.`,
    )
  if (change === 'narrower')
    return backfill(
      'NarrowerKind',
      at,
      `${message} Stored values beyond that are read, and may not be given.`,
      itemsOf(before, name, was, `whose ${attribute} is beyond`),
    )
  return breaking(
    'OtherKind',
    at,
    isUpcast({ was, is })
      ? `${message} A program of the former version finds the items malformed that have the new form.`
      : `${message} Stored values may be malformed, or mean something else.`,
    `Add the new form as another attribute, which is read from now on, and raise schema with an upcast that makes it of ${attribute}. Let ${attribute} be optional(), and still write it.`,
    `Leave ${attribute} out.`,
  )
}

function otherDifferences({ at, attribute, old, now, formerNames }: Changed): readonly Difference[] {
  const found: Difference[] = []
  if (old.secret !== now.secret)
    found.push(
      compatible('OtherSecrecy', at, now.secret ? 'Is a secret, which only a read that names it returns.' : 'Is no secret any more.'),
    )
  if (old.stamp !== now.stamp) found.push(compatible('OtherStamp', at, 'Is stamped otherwise from now on.'))
  if (old.made !== now.made && old.presence === now.presence && !hasDefault(old) && !hasDefault(now))
    found.push(compatible('OtherMaking', at, `Is made otherwise at a creation: ${now.made ?? 'not at all'}.`))
  const lost = (old.was ?? []).filter((each) => !(now.was ?? []).includes(each))
  if (lost.length > 0)
    found.push(
      breaking(
        'GoneFormerName',
        at,
        `No longer reads its former name. A program of the former version reads that first, and would write an old value back.`,
        `Keep the former name, and migrate: each item has both names, with one value.`,
        `Leave ${lost.join(' and ')} out, and start no program of this version before the last one of the former has ended.`,
      ),
    )
  const more = (now.was ?? []).filter((each) => !(old.was ?? []).includes(each) && each !== formerNames[attribute])
  if (more.length > 0)
    found.push(
      breaking(
        'NewFormerName',
        at,
        `Reads ${more.join(', ')} first. A program of the former version changes ${attribute} alone, and this one would not see it.`,
        `Leave ${more.join(' and ')} out.`,
        `Read it, and start no program of this version before the last one of the former has ended.`,
      ),
    )
  return found
}

function renamed({ name, before, was }: EntityVersions, attribute: string, former: string): Difference {
  const at = `entities.${name}.attributes.${attribute}`
  return backfill(
    'RenamedAttribute',
    at,
    `Was ${former}. Both names are read and written as long as the design has .was('${former}').`,
    itemsOf(before, name, was, `that have ${former}`),
  )
}

/** A guard or lookup item has attributes of its owner: what they are is told of that. */
function carriedDifferences({ name, before, was, is }: EntityVersions, owner: string): readonly Difference[] {
  const [old = [], now = []] = [was.carries, is.carries]
  const more = now.filter((each) => !old.includes(each))
  return [
    ...more.map((each) => {
      const at = `entities.${name}.carries.${each}`
      return before.entities[owner]?.attributes?.[each] === undefined
        ? compatible('NewCarriedAttribute', at, `Is new with that of ${owner}.`)
        : backfill('NewCarried', at, `Each item of ${name} gets it from that of ${owner}.`, itemsOf(before, name, was))
    }),
    ...old
      .filter((each) => !now.includes(each))
      .map((each) => compatible('GoneCarried', `entities.${name}.carries.${each}`, 'Is no longer carried.')),
  ]
}

/** The differences of an entity's attributes. */
export function attributeDifferences(versions: EntityVersions): readonly Difference[] {
  const { name, was, is, formerNames } = versions
  if (was.owner !== undefined) return carriedDifferences(versions, was.owner)
  return pairs(was.attributes, is.attributes).flatMap(([attribute, old, now]): readonly Difference[] => {
    if (old === undefined) return now === undefined ? [] : [added(versions, attribute, now)]
    if (now === undefined) return [removed(versions, attribute, old)]
    const changed = { ...versions, attribute, at: `entities.${name}.attributes.${attribute}`, old, now }
    const former = formerNames[attribute]
    const own = [
      former === undefined ? [] : renamed(versions, attribute, former),
      presenceChange(changed) ?? [],
      kindDifference(changed) ?? [],
    ]
    return [...own.flat(), ...otherDifferences(changed)]
  })
}
