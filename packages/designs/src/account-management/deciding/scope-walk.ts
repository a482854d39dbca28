import { placeBefore, placeOf, type Reads, type Sources, type Stretch } from '@freehold/frame/decision'
import { compareKeys } from '@freehold/table/runtime'
import { Building, BuildingPlace, ClientBuilding, Project } from '../design.ts'
import { pathRemembered, placedPath } from './resolve.ts'
import type { Path } from './scope.ts'
import { type Position, positionOf, positionText, type Root, rootsAfter, rootText, wholeRoot } from './scope-cursor.ts'
import { type ScopeFacts, scopeAt } from './situation.ts'

/** A scope that a root holds. */
export interface Listing {
  readonly root: Root
  readonly facts: ScopeFacts
  readonly position: string
}

/** Scopes in their order; `next` is where more may follow. */
export interface Listings {
  readonly listed: readonly Listing[]
  readonly next: string | undefined
}

export interface WalkOptions {
  /** Scopes that are looked at on one page. */
  readonly count: number
  readonly module_id: string | undefined
  /** With all that is beneath the roots. */
  readonly isExpanded: boolean
}

/** Clients and projects whose scopes are read on one page: each is read as far as the page could need it. */
const collectionsAtOnce = 16
/** DynamoDB returns no more at once. */
const stretchMax = 1000

interface Beneath {
  readonly paths: readonly { readonly path: Path; readonly inner: string }[]
  readonly isWhole: boolean
}

interface Walking extends WalkOptions {
  readonly sources: Sources
  readonly reads: Reads
}

const innerAt = (root: Root, at: Position | undefined) => (at?.root === rootText(root) ? at.inner : undefined)

/** The ranges that are read of a client, its projects and all their buildings, or of a project, its buildings. */
function stretchesOf({ count, isExpanded }: WalkOptions, root: Root, inner: string | undefined): readonly Stretch[] {
  const limit = Math.min(count, stretchMax)
  const { scope_type, scope_id } = root
  if (!isExpanded || scope_type === 'building') return []
  if (scope_type === 'project') {
    const place = placeBefore(Building, { project_id: scope_id }, 'id')
    return [{ ...place, limit, after: inner ? `${place.range.from}${inner}` : undefined }]
  }
  const projects = placeBefore(Project, { client_id: scope_id }, 'id')
  const buildings = placeOf(ClientBuilding, { client_id: scope_id })
  const project = inner?.split('#')[0]
  return [
    { ...projects, limit, after: project ? `${projects.range.from}${project}` : undefined },
    { ...buildings, limit, after: inner ? `${buildings.range.from}${inner}` : undefined },
  ]
}

/** The path of a client or project itself. */
const ownPath = ({ scope_type, scope_id, client_id }: Root): Path =>
  scope_type === 'client' ? { client_id: scope_id } : { client_id, project_id: scope_id }

/** From its place if that was read, else as it was the last time; undefined if neither is known. */
function buildingPath({ sources, reads }: Walking, { scope_id }: Root): Path | undefined {
  const place = reads.knownFact(BuildingPlace, { id: scope_id })
  return place === undefined ? pathRemembered(sources, { building: scope_id }) : placedPath(sources, place)
}

/** Scopes beneath a root after a position, as far as they have been read without a gap. */
function beneath(walking: Walking, root: Root, inner: string | undefined): Beneath {
  const { scope_type } = root
  const own = (path: Path | undefined) => (path === undefined || inner !== undefined ? [] : [{ path, inner: '' }])
  if (scope_type === 'building') return { paths: own(buildingPath(walking, root)), isWhole: true }
  const isClient = scope_type === 'client'
  const base = ownPath(root)
  const stretches = stretchesOf(walking, root, inner)
  const found = stretches.flatMap((stretch, index) => {
    const { items = [], isLast = false } = walking.reads.knownStretch(stretch) ?? {}
    // The ids follow the prefix, also those of a malformed item: of a client first its projects, then their buildings.
    const texts = items.map(({ SK }) => String(SK).slice(stretch.range.from.length))
    return [{ texts: isClient && index === 0 ? texts.map((project) => `${project}#`) : texts, isLast }]
  })
  const horizons = found.flatMap(({ texts, isLast }, index) => {
    if (isLast) return []
    const last = texts.at(-1) ?? ''
    return [isClient && index === 0 ? `${last}${wholeRoot}` : last]
  })
  const [horizon] = horizons.sort(compareKeys)
  const texts = found.flatMap((each) => each.texts).sort(compareKeys)
  const paths = texts.flatMap((text): Beneath['paths'] => {
    if (horizon !== undefined && compareKeys(text, horizon) > 0) return []
    if (!isClient) return [{ path: { ...base, building_id: text }, inner: text }]
    const [project_id, building_id] = text.split('#')
    return [{ path: { ...base, project_id, ...(building_id ? { building_id } : {}) }, inner: text }]
  })
  return { paths: [...own(base), ...paths], isWhole: horizon === undefined }
}

interface Listed {
  readonly root: Root
  readonly path: Path
  readonly position: string
}

/** The next scopes of a run, of all roots, by what has been read. */
function listedOf(walking: Walking, roots: readonly Root[], run: readonly Root[], after: string | undefined) {
  const at = positionOf(after)
  const isCut = run.length < rootsAfter(roots, at).length
  const projects = new Set(roots.filter(({ scope_type }) => scope_type === 'project').map(({ scope_id }) => scope_id))
  const listed: Listed[] = []
  for (const root of run) {
    const { paths, isWhole } = beneath(walking, root, innerAt(root, at))
    const isTold = ({ project_id = '' }: Path) => walking.isExpanded && root.scope_type === 'building' && projects.has(project_id)
    for (const { path, inner } of paths) {
      if (isTold(path)) continue
      if (listed.length === walking.count) return { listed, next: listed.at(-1)?.position }
      listed.push({ root, path, position: positionText({ root: rootText(root), inner }) })
    }
    if (!isWhole) return { listed, next: listed.at(-1)?.position ?? after }
  }
  const last = run.at(-1)
  return { listed, next: isCut && last !== undefined ? positionText({ root: rootText(last), inner: wholeRoot }) : undefined }
}

/**
 * The scopes of roots, page by page: a client, its projects in the order of their ids, each followed by its buildings. One round trip for projects and all
 * beneath them, two for clients and for scopes with a module, and one more for a building that has moved.
 */
export function scopeWalk(sources: Sources, reads: Reads, options: WalkOptions) {
  const { count, module_id, isExpanded } = options
  const walking: Walking = { ...options, sources, reads }
  const isBuilding = ({ scope_type }: Root) => scope_type === 'building'

  /** The roots that one page may need, of all in their order. */
  const run = (roots: readonly Root[], after: string | undefined): readonly Root[] => {
    const open = rootsAfter(roots, positionOf(after)).slice(0, count)
    if (!isExpanded) return open
    let collections = 0
    const end = open.findIndex((root) => !isBuilding(root) && ++collections > collectionsAtOnce)
    return end === -1 ? open : open.slice(0, end)
  }
  /** Asks for what lies beneath clients and projects, with these themselves, and for the places of these buildings. */
  const askBeneath = (roots: readonly Root[], buildings: readonly Root[], after: string | undefined): void => {
    const at = positionOf(after)
    for (const { scope_id } of buildings) reads.fact(BuildingPlace, { id: scope_id })
    for (const root of isExpanded ? roots.filter((each) => !isBuilding(each)) : []) {
      scopeAt(reads, ownPath(root), module_id)
      for (const stretch of stretchesOf(walking, root, innerAt(root, at))) reads.stretch(stretch)
    }
  }
  /** The next scopes of a run, with the facts that were read; it asks for the others. */
  const listedIn = (roots: readonly Root[], open: readonly Root[], after: string | undefined): Listings => {
    const { listed, next } = listedOf(walking, roots, open, after)
    const facts = listed.map(({ path }) => scopeAt(reads, path, module_id))
    // The place of a building tells whether the building has moved.
    for (const { scope_id } of open.filter(isBuilding)) reads.fact(BuildingPlace, { id: scope_id })
    const told = listed.flatMap(({ root, position }, index): readonly Listing[] => {
      const found = facts[index]
      return found === undefined ? [] : [{ root, position, facts: found }]
    })
    return { listed: told, next }
  }

  return {
    run,
    /** Asks for roots, and the first pages of the scopes beneath them. */
    ahead: (roots: readonly Root[], after: string | undefined): void => askBeneath(roots, roots.filter(isBuilding), after),
    /** Asks for the other items that roots may need, of which all that is beneath them has been read. */
    aheadWithin: (roots: readonly Root[], after: string | undefined): void => void listedIn(roots, run(roots, after), after),
    /** The next scopes of roots. Undefined until they are read. */
    next: (roots: readonly Root[], after: string | undefined): Listings | undefined => {
      const open = run(roots, after)
      const unknown = open.filter((root) => isBuilding(root) && buildingPath(walking, root) === undefined)
      askBeneath(open, unknown, after)
      if (reads.isLacking()) return undefined
      const listings = listedIn(roots, open, after)
      return reads.isLacking() ? undefined : listings
    },
  }
}
