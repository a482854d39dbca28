import type { Runtime } from '@freehold/table'
import { keyText, type Stored, scanItems } from '@freehold/table/runtime'
import { isShared, ownerOf } from './owner.ts'
import { wordsIn } from './words.ts'

interface Lot {
  readonly item: Stored
  readonly owner: string
  /** The item as JSON: what is not byte for byte the same is not the same. */
  readonly text: string
  readonly words: ReadonlySet<string>
}

/** Whose a mark is. That of an internal user, `person`, is told to clients where that user has a role: it is shown who has access. */
export type Marks = ReadonlyMap<string, { readonly owner: string; readonly person?: string }>

/** In place of an owner, for what all may read. */
const shared = 'all'

/** Every item of the table as it lies there, and whose it is; told of each write. */
export class Land {
  private readonly lots = new Map<string, Lot>()
  /** The same, by their owners. */
  private readonly estates = new Map<string, Map<string, Lot>>()
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
    const owner = item === undefined ? undefined : ownerOf(item)
    const before = this.lots.get(place)
    if (before !== undefined && before.owner !== owner) this.estate(before.owner).delete(place)
    if (item === undefined || owner === undefined) {
      this.lots.delete(place)
      return
    }
    const text = textOf(item)
    const lot = { item, owner, text, words: wordsIn(text) }
    this.lots.set(place, lot)
    this.estate(owner).set(place, lot)
    if (typeof item.id !== 'string' || owner === 'jobs') return
    // Shared items are no secret, also if a client takes the id of a system role for one of its own.
    if (isShared(item)) this.owners.set(item.id, shared)
    else if (!this.owners.has(item.id) || (item.Type === 'User' && this.owners.get(item.id) !== shared)) this.owners.set(item.id, owner)
  }

  private estate(owner: string): Map<string, Lot> {
    const estate = this.estates.get(owner) ?? new Map<string, Lot>()
    this.estates.set(owner, estate)
    return estate
  }

  /** The items of a client. */
  of(owner: string): readonly Stored[] {
    return [...this.estate(owner).values()].map(({ item }) => item)
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
    const own = [...this.estate(client).values()]
    const isMentioned = (word: string) => own.some(({ words }) => words.has(word))
    return new Set(foreign.filter((word) => !isMentioned(word) && !isMentioned(marks.get(word)?.person ?? '')))
  }
}

export const keyOf = ({ PK, SK }: Stored): string => keyText({ PK: String(PK), SK: String(SK) })

const textOf = (item: Stored): string =>
  JSON.stringify(item, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
