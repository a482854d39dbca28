import { compareKeys } from '@freehold/table/runtime'
import { placeOf, type Sources } from '../../decision/sources.ts'
import type { Reads, Stretch } from '../reads.ts'
import { pathRemembered, placedPath } from './path-lookup.ts'
import { type Level, type Path, type ScopeChain, scopeText } from './scope-chain.ts'
import { outermost, type Position, positionOf, positionText, type Root, rootsAfter, rootText, wholeRoot } from './scope-cursor.ts'

/** A scope that a root holds, with what was read of it. */
export interface Listing<F> {
  readonly root: Root
  readonly facts: F
  readonly position: string
}

/** Scopes in their order; `next` is where more may follow. */
export interface Listings<F> {
  readonly listed: readonly Listing<F>[]
  readonly next: string | undefined
}

export interface WalkOptions<F> {
  /** Scopes that are looked at on one page. */
  readonly count: number
  /** With all that is beneath the roots. */
  readonly isExpanded: boolean
  /** Reads what is to be known of a scope; undefined until it is read. */
  readonly factsAt: (path: Path) => F | undefined
}

/** Roots whose scopes are read on one page: each is read as far as the page could need it. */
const collectionsAtOnce = 16
/** DynamoDB returns no more at once. */
const stretchMax = 1000

interface Beneath {
  readonly paths: readonly { readonly path: Path; readonly inner: string }[]
  readonly isWhole: boolean
}

interface Listed {
  readonly root: Root
  readonly path: Path
  readonly position: string
}

const innerAt = (root: Root, at: Position | undefined) => (at?.root === rootText(root) ? at.inner : undefined)

/**
 * The scopes of roots, page by page: each is followed by what lies in it, in the order of their ids. One round trip for what lies just beneath an outermost
 * scope, two for outermost scopes and where `factsAt` reads more, and one more for a scope that has moved.
 */
export function scopeWalk<F>(chain: ScopeChain, sources: Sources, reads: Reads, { count, isExpanded, factsAt }: WalkOptions<F>) {
  const { levels } = chain
  const levelOf = ({ scope_type }: Root): Level | undefined => levels.find(({ type }) => type === scope_type)
  const depthOf = (root: Root) => levels.findIndex(({ type }) => type === root.scope_type)
  const isInnermost = (root: Root) => depthOf(root) === levels.length - 1
  /** The path of such a root is told by its place alone. */
  const isPlaced = (root: Root) => depthOf(root) > 1
  const placeAt = (root: Root) => ({ entity: levelOf(root)?.place, id: { [levelOf(root)?.id ?? '']: root.scope_id } })

  /** The path of a root, from its place if that was read, else as it was the last time; undefined if neither is known. */
  const ownPath = (root: Root): Path | undefined => {
    const { scope_type, scope_id, within } = root
    if (!isPlaced(root)) return depthOf(root) === 0 ? [scope_id] : [within, scope_id]
    const [level, { entity, id }] = [levelOf(root), placeAt(root)]
    const place = entity && reads.knownFact(entity, id)
    return place === undefined || level === undefined
      ? pathRemembered(chain, sources, { [scope_type]: scope_id })
      : placedPath(chain, sources, level, place)
  }
  const askPlace = (root: Root): void => {
    const { entity, id } = placeAt(root)
    if (entity !== undefined) reads.fact(entity, id)
  }

  /** The ranges that are read of a root: one for each kind of scope beneath it. */
  const stretchesOf = (root: Root, inner: string | undefined): readonly Stretch[] => {
    const depth = depthOf(root)
    const beneath = isExpanded ? levels.slice(depth + 1) : []
    return beneath.flatMap(({ lists }, index): readonly Stretch[] => {
      const list = lists[depth]
      if (list === undefined) return []
      const place = placeOf(list, { [levels[depth]?.name ?? '']: root.scope_id })
      const after = inner?.split('#', index + 1).join('#')
      return [{ ...place, limit: Math.min(count, stretchMax), after: after ? `${place.range.from}${after}` : undefined }]
    })
  }

  /** Scopes beneath a root after a position, as far as they have been read without a gap. */
  const beneath = (root: Root, inner: string | undefined): Beneath => {
    const base = ownPath(root)
    const own = base === undefined || inner !== undefined ? [] : [{ path: base, inner: '' }]
    if (isInnermost(root) || base === undefined) return { paths: own, isWhole: true }
    const stretches = stretchesOf(root, inner)
    const found = stretches.map((stretch, index) => {
      const { items = [], isLast = false } = reads.knownStretch(stretch) ?? {}
      // The ids follow the prefix, also those of a malformed item. Each scope is followed by those in it.
      const end = index === stretches.length - 1 ? '' : '#'
      return { texts: items.map(({ SK }) => `${String(SK).slice(stretch.range.from.length)}${end}`), isLast, end }
    })
    const horizons = found.flatMap(({ texts, isLast, end }) => (isLast ? [] : [`${texts.at(-1) ?? ''}${end && wholeRoot}`]))
    const [horizon] = horizons.sort(compareKeys)
    const texts = found.flatMap((each) => each.texts).sort(compareKeys)
    const paths = texts.flatMap((text): Beneath['paths'] => {
      if (horizon !== undefined && compareKeys(text, horizon) > 0) return []
      return [{ path: [...base, ...text.split('#').filter((id) => id !== '')], inner: text }]
    })
    return { paths: [...own, ...paths], isWhole: horizon === undefined }
  }

  /** The next scopes of a run, of all roots, by what has been read. */
  const listedOf = (roots: readonly Root[], run: readonly Root[], after: string | undefined) => {
    const at = positionOf(after)
    const isCut = run.length < rootsAfter(roots, at).length
    const inner = new Set(roots.filter((root) => depthOf(root) > 0).map(scopeText))
    const listed: Listed[] = []
    for (const root of run) {
      const { paths, isWhole } = beneath(root, innerAt(root, at))
      // It is listed with a root in which it lies.
      const base = isExpanded && isPlaced(root) ? ownPath(root) : undefined
      const [, ...above] = base === undefined ? [] : chain.scopesOf(base)
      const isTold = above.some((scope) => inner.has(scopeText(scope)))
      for (const { path, inner } of isTold ? [] : paths) {
        if (listed.length === count) return { listed, next: listed.at(-1)?.position }
        listed.push({ root, path, position: positionText({ root: rootText(root), inner }) })
      }
      if (!isWhole) return { listed, next: listed.at(-1)?.position ?? after }
    }
    const last = run.at(-1)
    return { listed, next: isCut && last !== undefined ? positionText({ root: rootText(last), inner: wholeRoot }) : undefined }
  }

  /** The roots that one page may need, of all in their order. */
  const run = (roots: readonly Root[], after: string | undefined): readonly Root[] => {
    const open = rootsAfter(roots, positionOf(after)).slice(0, count)
    if (!isExpanded) return open
    let collections = 0
    const end = open.findIndex((root) => !isInnermost(root) && ++collections > collectionsAtOnce)
    return end === -1 ? open : open.slice(0, end)
  }
  /** Asks for what lies beneath roots, with these themselves, and for the places of those that need them. */
  const askBeneath = (roots: readonly Root[], placed: readonly Root[], after: string | undefined): void => {
    const at = positionOf(after)
    for (const root of placed) askPlace(root)
    for (const root of isExpanded ? roots.filter((each) => !isInnermost(each)) : []) {
      const path = ownPath(root)
      if (path !== undefined) factsAt(path)
      for (const stretch of stretchesOf(root, innerAt(root, at))) reads.stretch(stretch)
    }
  }
  /** The next scopes of a run, with the facts that were read; it asks for the others. */
  const listedIn = (roots: readonly Root[], open: readonly Root[], after: string | undefined): Listings<F> => {
    const { listed, next } = listedOf(roots, open, after)
    const facts = listed.map(({ path }) => factsAt(path))
    // The place of a root tells whether it has moved.
    for (const root of open.filter(isPlaced)) askPlace(root)
    const told = listed.flatMap(({ root, position }, index): readonly Listing<F>[] => {
      const found = facts[index]
      return found === undefined ? [] : [{ root, position, facts: found }]
    })
    return { listed: told, next }
  }

  return {
    run,
    /** Asks for roots, and the first pages of the scopes beneath them. */
    ahead: (roots: readonly Root[], after: string | undefined): void => askBeneath(roots, roots.filter(isPlaced), after),
    /** Asks for the other items that roots may need, of which all that is beneath them has been read. */
    aheadWithin: (roots: readonly Root[], after: string | undefined): void => void listedIn(roots, run(roots, after), after),
    /** The next scopes of roots. Undefined until they are read. */
    next: (roots: readonly Root[], after: string | undefined): Listings<F> | undefined => {
      const open = run(roots, after)
      const unknown = open.filter((root) => isPlaced(root) && ownPath(root) === undefined)
      askBeneath(open, unknown, after)
      if (reads.isLacking()) return undefined
      const listings = listedIn(roots, open, after)
      return reads.isLacking() ? undefined : listings
    },
    /** The roots of a list: if it is expanded, those in an outermost scope that is a root are listed with it. */
    rootsListed: (roots: readonly Root[]): readonly Root[] => (isExpanded ? outermost(roots) : roots),
  }
}
