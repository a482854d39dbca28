import type { Entity } from './form.ts'

// Types only: which attributes of an entity something else is made of, so that no atomic change may have them. Keys, guards and lookup items aside, these are
// references, copies, and the expiry, of which `ttl` is made.

/** The names of the entities to which a reference of the entity `N` may lead. */
type Targets<N, R> = R extends { readonly cases: infer C }
  ? { [K in keyof C]: Targets<N, C[K]> }[keyof C]
  : R extends { readonly to: 'itself' }
    ? N
    : R extends { readonly to: Entity<infer O, infer _A, infer _K, infer _X> }
      ? O
      : R extends Entity<infer O, infer _A, infer _K, infer _X>
        ? O
        : never

/** The attributes of the referring entity that say which reference holds, or fill a placeholder of its target. */
type Fillers<R> = R extends { readonly attribute: infer H; readonly cases: infer C }
  ? H | { [K in keyof C]: Fillers<C[K]> }[keyof C]
  : R extends { readonly by: infer B }
    ? { [K in keyof B]: B[K] extends { readonly attribute: infer H } ? H : B[K] }[keyof B]
    : never

/** The attribute of the entity `O` that is copied to the attribute `K`. */
type Source<Named, K, O> = Named extends string ? Named : O extends keyof Named ? Named[O] : K

/** The attributes of the entity `O` that are copied to the entity `N`. */
type Copied<O, N, A, R> = {
  [K in keyof A]: A[K] extends { readonly source: { readonly through: infer Through; readonly attribute: infer Named } }
    ? Through extends keyof R
      ? O extends Targets<N, R[Through]>
        ? Source<Named, K, O>
        : never
      : never
    : never
}[keyof A]

type References<R> = { [K in keyof R]: K | Fillers<R[K]> }[keyof R]

type NeededBy<N, A, R, T> = {
  readonly [O in (N | Targets<N, R[keyof R]>) & string]: Copied<O, N, A, R> | (O extends N ? T | References<R> : never)
}

/**
 * By entity: its attributes that items of the entity `N` need. `R` are its references, `T` is the attribute that tells when it expires. The condition makes the
 * compiler resolve it at once, so that editors and declarations show names.
 */
export type Needed<N, A, R, T> = NeededBy<N, A, R, T> extends infer H ? { readonly [O in keyof H]: H[O] } : never
