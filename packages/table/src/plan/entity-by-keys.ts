import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { readKey } from '../key/format.ts'
import { delimiter } from '../key/template.ts'
import type { Kind } from '../kind/kind.ts'

function isExact(kind: Kind | undefined, text: string): boolean {
  return kind?.domain?.pattern.test(text) === true
}

/** True for a text that is one of the kind, or another spelling of one. */
export function isSpelled(kind: Kind | undefined, text: string): boolean {
  return isExact(kind, text) || kind?.schema.safeParse(text).success === true || kind?.former?.(text).success === true
}

type ByBeginning = ReadonlyMap<string, readonly Entity[]>

const beginnings = new WeakMap<DesignForm, ByBeginning>()

/** The first segment of a partition key, or nothing for a placeholder, which may be anything. */
function beginningsOf({ entities, dropped }: DesignForm): ByBeginning {
  const found = new Map<string, Entity[]>()
  for (const entity of [...entities.values(), ...dropped.values()])
    for (const first of new Set(entity.form.key.partition.alternatives.map(({ segments }) => segments[0]?.literal ?? '')))
      found.set(first, [...(found.get(first) ?? []), entity])
  return found
}

/** The entity that the keys of an item say, or undefined. No two entities share a key (`prove`: KeyCollision). */
export function entityByKeys(form: DesignForm, partition: string, sort: string): Entity | undefined {
  const known = beginnings.get(form) ?? beginningsOf(form)
  beginnings.set(form, known)
  const [first = ''] = partition.split(delimiter, 1)
  const all = [...new Set([...(known.get(first) ?? []), ...(known.get('') ?? [])])]
  const of = (isValue: (kind: Kind | undefined, text: string) => boolean) =>
    all.filter(({ attributes, form: { key } }) => {
      const mayBe = (placeholder: string, text: string) => isValue(attributes[placeholder]?.kind, text)
      return readKey(key.partition, partition, mayBe) !== undefined && readKey(key.sort, sort, mayBe) !== undefined
    })
  const exact = of(isExact)
  const [only, another] = exact.length > 0 ? exact : of(isSpelled)
  return another === undefined ? only : undefined
}
