import { isDeepStrictEqual } from 'node:util'
import type { ConnectedTable, Entity } from '@freehold/table'
import { keyPlaceholders, type Stored, viewItem } from '@freehold/table/runtime'
import { wholeTable } from '../whole-table.ts'
import type { Values } from './flow-scene.ts'

/** The items of a table by their keys, as they lie there. */
export type Lying = ReadonlyMap<string, Stored>

export async function lyingIn(table: ConnectedTable): Promise<Lying> {
  return new Map((await wholeTable(table)).map((item) => [`${item.PK} / ${item.SK}`, item]))
}

/** An item that came, changed or went. */
export interface ChangedItem {
  readonly entity: Entity
  /** Its key attributes, as they are, or were. */
  readonly id: Values
  readonly before: Values | undefined
  readonly after: Values | undefined
  /** The attributes that its writer gave and that differ, as a record tells them; without secrets. */
  readonly changes: Readonly<Record<string, Values>>
}

const side = (name: 'before' | 'after', value: unknown) => (value === undefined ? {} : { [name]: value })

/** The items of a design's own that differ, without derived items and the other sides of edges, which follow them. */
export function changedItems({ design }: ConnectedTable, before: Lying, after: Lying): readonly ChangedItem[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): ChangedItem[] => {
    const [was, is] = [before.get(key), after.get(key)]
    const entity = design.form.entities.get(String((is ?? was)?.Type))
    const part = entity?.form.part
    const isFollowing = part?.kind === 'guard' || part?.kind === 'mirror' || (part?.kind === 'edge' && part.edge.sides[0] !== entity)
    if (entity === undefined || isFollowing) return []
    const [old, now]: readonly (Values | undefined)[] = [was && { ...viewItem(entity, was) }, is && { ...viewItem(entity, is) }]
    const changes = Object.entries(entity.attributes).flatMap(([name, { isSecret, madeOnWrite, presence }]) => {
      const [one, other] = [old?.[name], now?.[name]]
      // The record of a new item may leave out what the design makes: its stamps, say.
      const isMade = presence === 'made' && (old === undefined || now === undefined)
      if (isSecret || madeOnWrite || isMade || presence === 'copied' || isDeepStrictEqual(one, other)) return []
      return [[name, { ...side('before', one), ...side('after', other) }] as const]
    })
    if (changes.length === 0) return []
    const of: Values = now ?? old ?? {}
    const id = Object.fromEntries(keyPlaceholders(entity).map((name) => [name, of[name]]))
    return [{ entity, id, before: old, after: now, changes: Object.fromEntries(changes) }]
  })
}

/** The values of all secrets that lie in a table. */
export function secretsIn({ design }: ConnectedTable, lying: Lying): ReadonlySet<string> {
  const secrets = [...lying.values()].flatMap((item) => {
    const { attributes = {} } = design.form.entities.get(String(item.Type)) ?? {}
    return Object.entries(attributes).flatMap(([name, { isSecret }]) => (isSecret && item[name] !== undefined ? [String(item[name])] : []))
  })
  return new Set(secrets)
}
