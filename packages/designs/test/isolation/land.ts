import type { Runtime } from '@freehold/table'
import { keyText, type Stored, scanItems } from '@freehold/table/runtime'
import { isShared, ownerOf } from './owner.ts'
import { wordsIn } from './words.ts'

interface Lot {
  readonly item: Stored
  readonly owner: string
  /** The item as JSON: what is not byte for byte the same is not the same. */
  readonly text: string
}

/** Whose a mark is. That of an internal user, `person`, is told to clients where that user has a role: it is shown who has access. */
export type Marks = ReadonlyMap<string, { readonly owner: string; readonly person?: string }>

/** In place of an owner, for what all may read. */
const shared = 'all'

/** Every item of the table as it lies there, and whose it is; told of each write. */
export class Land {
  private readonly lots = new Map<string, Lot>()
  /** Whose the id, or the mark, was first. */
  private readonly owners = new Map<string, string>()

  static async of(runtime: Runtime): Promise<Land> {
    const land = new Land()
    for await (const page of scanItems(runtime)) for (const item of page) land.set(keyOf(item), item)
    return land
  }

  at(place: string): Lot | undefined {
    return this.lots.get(place)
  }

  set(place: string, item: Stored | undefined): void {
    if (item === undefined) {
      this.lots.delete(place)
      return
    }
    const owner = ownerOf(item)
    this.lots.set(place, { item, owner, text: textOf(item) })
    if (typeof item.id !== 'string' || owner === 'jobs') return
    // What is shared is no secret, also where a client takes the id of a system role for one of its own.
    if (isShared(item)) this.owners.set(item.id, shared)
    else if (!this.owners.has(item.id) || (item.Type === 'User' && this.owners.get(item.id) !== shared)) this.owners.set(item.id, owner)
  }

  /** The items of a client. */
  of(owner: string): readonly Stored[] {
    return [...this.lots.values()].flatMap((lot) => (lot.owner === owner ? [lot.item] : []))
  }

  /** Items that lie elsewhere, or otherwise, in another land. */
  differing(other: Land): readonly string[] {
    const places = new Set([...this.lots.keys(), ...other.lots.keys()])
    return [...places].filter((place) => this.lots.get(place)?.text !== other.lots.get(place)?.text)
  }

  /** Of these words, those that a client cannot know: ids of others' items, and others' marks, which none of its own items mentions. */
  secretsAmong(words: ReadonlySet<string>, client: string, marks: Marks): ReadonlySet<string> {
    const foreign = [...words].filter((word) => {
      const owner = this.owners.get(word) ?? marks.get(word)?.owner ?? client
      return owner !== client && owner !== shared
    })
    if (foreign.length === 0) return new Set()
    const mentioned = new Set<string>()
    for (const { owner, text } of this.lots.values()) if (owner === client) for (const word of wordsIn(text)) mentioned.add(word)
    return new Set(foreign.filter((word) => !mentioned.has(word) && !mentioned.has(marks.get(word)?.person ?? '')))
  }
}

export const keyOf = ({ PK, SK }: Stored): string => keyText({ PK: String(PK), SK: String(SK) })

const textOf = (item: Stored): string =>
  JSON.stringify(item, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
