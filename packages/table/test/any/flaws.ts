import type { Stored } from '../../src/plan/stored.ts'
import type { Choice, NodeChoice } from './design.ts'

// What must hold of the table of any design, said with literal keys.

const keyOf = ({ PK, SK }: Stored): string => `${PK} / ${SK}`

interface Expected {
  readonly key: string
  readonly has: Readonly<Record<string, unknown>>
}

interface Checked {
  readonly derived: readonly Expected[]
  /** What the item refers to: whether it may be gone, and the copies from it. */
  readonly targets: readonly { readonly key: string; readonly mayBeGone: boolean; readonly copies: Readonly<Record<string, string>> }[]
  /** Attributes that it has or lacks. */
  readonly has: Readonly<Record<string, unknown>>
}

export function nodeKey(node: NodeChoice | undefined, index: number, id: unknown, part: unknown): string {
  return `N${index}#${id} / ${node?.key === 'parted' && part !== undefined ? `P#${part}` : 'META'}`
}

function node({ nodes }: Choice, index: number, item: Stored): Checked {
  const { id, part, v, w, slug, until, r, rp, cv, t } = item
  const own = { id, part, until, t }
  const me = nodes[index]
  const ref = me?.ref
  const target = ref === undefined ? undefined : nodes[ref.to]
  const hasCopy = ref !== undefined && ref.to !== index && target?.ref !== undefined
  const derived: Expected[] = [
    ...(slug === undefined ? [] : [{ key: `N${index}SLUG#${slug} / META`, has: { Type: `N${index}Slug`, ...own, slug, v, cv } }]),
    ...(w === undefined ? [] : [{ key: `N${index}W#${w} / META`, has: { Type: `N${index}W`, ...own, w } }]),
    ...(ref === undefined || r === undefined || (me?.key === 'parted' && w === undefined)
      ? []
      : [
          {
            key: `N${index}REF#${r}${rp === undefined ? '' : `#${rp}`} / S#${id}${me?.key === 'parted' ? `#${w}` : ''}`,
            has: { Type: `N${index}Ref`, ...own, r },
          },
        ]),
  ]
  const ttl = typeof until === 'string' ? Math.ceil(Date.parse(until) / 1000) : undefined
  const has = { ttl, ...(ref === undefined ? {} : { GSI1PK: cv === undefined ? undefined : `V#${cv}` }) }
  if (ref === undefined || r === undefined) return { derived, targets: [], has: { ...has, cv: undefined, cc: undefined } }
  const key = ref.by === 'slug' ? `N${ref.to}SLUG#${r} / META` : nodeKey(target, ref.to, r, rp === 'NONE' ? undefined : rp)
  const mayBeGone =
    ref.onRemove === 'keep' || target?.expires === true || (ref.onRemove === 'refuse' && target?.ref?.onRemove === 'cascade')
  const copies = hasCopy ? { cv: 'v', cc: 'cv' } : { cv: 'v' }
  return { derived, targets: [{ key, mayBeGone, copies }], has }
}

function end({ nodes }: Choice, index: number, id: unknown, name: 'a' | 'b'): Checked['targets'][number] {
  const copies = nodes[index]?.ref === undefined ? { [`${name}v`]: 'v' } : { [`${name}v`]: 'v', [`${name}cv`]: 'cv' }
  return { key: nodeKey(nodes[index], index, id, undefined), mayBeGone: nodes[index]?.expires === true, copies }
}

function checked(choice: Choice, item: Stored): Checked | undefined {
  const { Type, id, a, b, note, t } = item
  const [, index] = /^N(\d)$/.exec(String(Type)) ?? []
  if (index !== undefined) return node(choice, Number(index), item)
  if (Type === 'XA')
    return {
      derived: [{ key: `XB#${b} / A#${a}`, has: { Type: 'XB', a, b, note, t } }],
      targets: [end(choice, choice.edge?.b ?? 0, b, 'b')],
      has: {},
    }
  if (Type === 'XB') return { derived: [], targets: [end(choice, choice.edge?.a ?? 0, a, 'a')], has: {} }
  if (Type !== 'T') return undefined
  const isOther = choice.tie?.isOtherSide === true
  return {
    derived: [{ key: `TREF#${a}#${b} / T#${id}`, has: { Type: 'TRef', id, a, b, t } }],
    targets: [
      {
        key: isOther ? `XB#${b} / A#${a}` : `XA#${a} / B#${b}`,
        // What refuses the removal of an edge does not refuse that of its ends.
        mayBeGone: choice.tie?.onRemove !== 'cascade',
        copies: { v: isOther ? 'av' : 'bv', note: 'note' },
      },
    ],
    has: {},
  }
}

/** Items of other tenants that a tenant has changed. */
export function touchedBy(tenant: string, before: readonly Stored[], after: readonly Stored[], now: string): string[] {
  const there = new Map(after.map((item) => [keyOf(item), JSON.stringify(item)]))
  return before
    .filter(
      (item) =>
        typeof item.t === 'string' &&
        item.t !== tenant &&
        (typeof item.until !== 'string' || item.until > now) &&
        there.get(keyOf(item)) !== JSON.stringify(item),
    )
    .map((item) => `${keyOf(item)} of ${item.t} was changed by ${tenant}: ${JSON.stringify(item)} > ${there.get(keyOf(item))}`)
}

function differing(item: Stored, wanted: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    item[name] === value ? [] : [`${keyOf(item)} has ${name} ${item[name]}, not ${value}`],
  )
}

/** Everything that is not as the design says where nothing is under way. What has expired needs nothing, and nothing needs it. */
export function flawsOf(choice: Choice, items: readonly Stored[], now: string): string[] {
  const live = new Map(items.filter(({ until }) => typeof until !== 'string' || until > now).map((item) => [keyOf(item), item]))
  const expected = new Set<string>()
  const found: string[] = []
  for (const [key, item] of live) {
    if (item.deleting !== undefined) found.push(`${key} is marked`)
    const rules = checked(choice, item)
    if (rules === undefined) continue
    if (item.Type !== 'XB') expected.add(key)
    found.push(...differing(item, rules.has))
    for (const { key: at, has } of rules.derived) {
      expected.add(at)
      const there = live.get(at)
      if (there === undefined) found.push(`${key} is without ${at}`)
      else found.push(...differing(there, has))
    }
    for (const { key: at, mayBeGone, copies } of rules.targets) {
      const there = live.get(at)
      // An item without a tenant tells every tenant what it copies from one, so copies of copies may have that.
      const direct = Object.keys(copies).filter((name) => copies[name] === 'v')
      const foreign = direct.filter(
        (name) => item.t !== undefined && /^T\d/.test(String(item[name])) && !String(item[name]).startsWith(String(item.t)),
      )
      found.push(...foreign.map((name) => `${key} of ${item.t} tells ${name} ${item[name]} of another tenant`))
      // What is another tenant's is not there, and nothing of it is told.
      if (there !== undefined && (item.t === undefined || there.t === undefined || there.t === item.t))
        found.push(...differing(item, Object.fromEntries(Object.entries(copies).map(([own, theirs]) => [own, there[theirs]]))))
      else if (!mayBeGone) found.push(`${key} needs ${at}`)
    }
  }
  for (const key of live.keys()) if (!expected.has(key)) found.push(`${key} is left over`)
  return found.sort()
}
