import { parseTemplate } from '../key/template.ts'
import type { Attributes } from './attribute.ts'
import { buildEntity, type Entity } from './entity.ts'
import { keyHoles } from './reference.ts'
import type { Checked, Hole, Key, None } from './types.ts'

type Carried<A, C extends keyof A, P, S, K> = Pick<
  A,
  C | (Hole<P> & keyof A) | (Hole<S> & keyof A) | (K extends Key ? Hole<K[number]> & keyof A : never)
>

/**
 * A further item of the same thing, written and removed in its owner's transaction. It carries what it names, the attributes
 * of its own key and those of its owner's key. Where an attribute of its key is absent there is no such item.
 */
type Further = <const N extends string, A, K extends Key, const P extends string, const S extends string, const C extends keyof A = never>(
  name: N,
  owner: Entity<string, A, K, unknown>,
  key: readonly [Checked<P, A, N>, Checked<S, A, N>],
  carries?: readonly C[],
  addition?: { why: string },
) => Entity<N, Carried<A, C, P, S, K>, Key<P, S>, None>

function further(kind: 'guard' | 'mirror'): Further {
  return (name, owner, key, carries = [], addition) => {
    // The owner's literal types are not needed below.
    const plain = owner as unknown as Entity
    const templates = (key as unknown as Key).flatMap((template) => parseTemplate(template).holes)
    const names = new Set<string>([...templates, ...keyHoles(plain), ...(carries as readonly string[])])
    const attributes: Attributes = Object.fromEntries(Object.entries(plain.attributes).filter(([attribute]) => names.has(attribute)))
    const { expires } = plain.form
    // The attributes picked above are exactly those that the type names.
    return buildEntity(
      name,
      attributes as never,
      key as never,
      {},
      {
        part: { kind, owner: plain },
        references: [],
        fixed: [],
        appendOnly: plain.form.appendOnly,
        expires: expires !== undefined && names.has(expires) ? expires : undefined,
        addition: addition?.why,
      },
    )
  }
}

/** A guard: its key is taken by at most one owner (spec rule 9). */
export const unique: Further = further('guard')
/** A second way to find its owner. */
export const mirror: Further = further('mirror')
