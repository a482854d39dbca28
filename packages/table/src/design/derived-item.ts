import { FreeholdError } from '../errors.ts'
import { isAlwaysIn, parseTemplate } from '../key/template.ts'
import { type Attribute, type Attributes, attribute } from './attribute.ts'
import { buildEntity } from './entity.ts'
import type { Entity } from './form.ts'
import { checkOptions } from './options.ts'
import { keyPlaceholders } from './reference.ts'
import type { Checked, Key, None, Placeholder, SurePlaceholder } from './types.ts'

type Names<A, C extends keyof A, P, S, K> =
  | C
  | ((Placeholder<P> | Placeholder<S> | (K extends Key ? Placeholder<K[number]> : never)) & keyof A)

/** An attribute that the derived item's key always needs is never absent from it, even if it is optional in the owner. */
type Carried<A, C extends keyof A, P, S, K> = {
  [H in Names<A, C, P, S, K>]: H extends SurePlaceholder<P> | SurePlaceholder<S> ? Present<A[H]> : A[H]
}
type Present<T> = T extends Attribute<infer V, 'optional', infer K> ? Attribute<V, 'given', K> : T

/**
 * Declares a derived item: another item of the same owner, written and removed in the owner's transaction. It has the attributes named in
 * `carries`, those of its own key and those of the owner's key. If an attribute of its key is absent, it is not written.
 */
type DeclareDerivedItem = <
  const N extends string,
  A,
  K extends Key,
  const P extends string,
  const S extends string,
  const C extends keyof A = never,
  O extends string = string,
>(
  name: N,
  owner: Entity<O, A, K, unknown>,
  key: readonly [Checked<P, A, N>, Checked<S, A, N>],
  carries?: readonly C[],
  addition?: { why: string },
) => Entity<N, Carried<A, C, P, S, K>, Key<P, S>, None, { readonly [Owner in O]: Names<A, C, P, S, K> }>

/** The same attribute, but always given. */
function present({ kind, isSecret, formerNames }: Attribute): Attribute {
  return attribute({ kind, isSecret, formerNames, presence: 'given' })
}

function derivedItem(kind: 'guard' | 'mirror'): DeclareDerivedItem {
  return (name, owner, key, carries = [], addition) => {
    // The owner's literal types are not needed below.
    const plain = owner as unknown as Entity
    const { part } = plain.form
    if (part.kind === 'guard' || part.kind === 'mirror')
      throw new FreeholdError('InvalidDesign', `${name} belongs to ${plain.name}, which is itself a ${part.kind} of ${part.owner.name}.`)
    checkOptions(name, addition ?? {}, ['why'])
    const stray = (carries as readonly string[]).find((own) => plain.attributes[own] === undefined)
    if (stray !== undefined) throw new FreeholdError('InvalidDesign', `${name} carries '${stray}', which ${plain.name} does not have.`)
    const templates = (key as unknown as Key).map(parseTemplate)
    const { expires } = plain.form
    // It expires with its owner, so it has the owner's expiry, too.
    const names = new Set<string>([
      ...templates.flatMap(({ placeholders }) => placeholders),
      ...keyPlaceholders(plain),
      ...(carries as readonly string[]),
      ...(expires === undefined ? [] : [expires]),
    ])
    const picked = Object.entries(plain.attributes).filter(([own]) => names.has(own))
    const attributes: Attributes = Object.fromEntries(
      picked.map(([own, theirs]) => [own, theirs.presence === 'optional' && isAlwaysIn(templates, own) ? present(theirs) : theirs]),
    )
    // The attributes picked above are exactly those that the type names.
    return buildEntity<typeof name, never, never, never, never>(name, attributes as never, key as never, {} as never, {
      part: { kind, owner: plain },
      fixed: [],
      appendOnly: plain.form.appendOnly,
      expires,
      addition: addition?.why,
    })
  }
}

/** Declares a uniqueness guard: only one owner at a time has its key (spec rule 9). */
export const unique: DeclareDerivedItem = derivedItem('guard')
/** Declares a lookup item: another key by which its owner is found. */
export const mirror: DeclareDerivedItem = derivedItem('mirror')
