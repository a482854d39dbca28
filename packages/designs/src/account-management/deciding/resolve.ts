import { createHash } from 'node:crypto'
import {
  type IdsOf,
  isUnusable,
  type LoadResult,
  type Lookup,
  type Lookups,
  loadRecord,
  lookupByIndex,
  type Name,
  nameLookup,
  type Resolved,
  resolveNames,
  type Sources,
  type Unusable,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { byIndex, checkAdopted, whenThere } from '@freehold/table/runtime'
import { BuildingPlace, ProjectPlace, User, UserEmail } from '../design.ts'
import type { ScopeAsked } from './question.ts'
import type { Path } from './scope.ts'

/** Without those of names that stand for nothing. */
export interface Ids {
  readonly user?: string | undefined
  readonly path?: Path | undefined
}

/** An id that no user has: the same for the same address, so that a program that asks about nobody reads no more than about somebody. */
function idOfNobody(email: string): string {
  const digest = createHash('sha256').update(email).digest('hex')
  // Version 8 of RFC 9562, which nobody makes ids by.
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}

interface UserLookup extends Lookup<string> {
  /** The client that the e-mail address names once it was looked up: a hint of where the user's roles are. */
  client(): string | undefined
  /**
   * Call it with the user as it was read. True if the user has another address by now: another program changes no guard. And true if, within a tenant scope,
   * the address names nobody there: nobody at all, or an internal user without a role at this tenant. A tenant must not be able to tell one from the other.
   */
  isNobody(user: LoadResult<Item<typeof User>> | undefined): boolean
}

type Guard = Item<typeof UserEmail>

/** The look-up of a user. Within a tenant scope what hangs on nobody is read as well, so that an answer about nobody takes as many round trips. */
export function userLookup(sources: Sources, name: Name): UserLookup {
  const { names, runtime } = sources
  const isScoped = runtime.tenantScope !== undefined
  let client: string | undefined
  let guest: string | undefined
  const load = async (email: string): Promise<LoadResult<Guard>> => {
    const at = wanted(UserEmail, { email })
    const found = await loadRecord(sources, at)
    // A guest is looked for as nobody is, by the index, too, so that a tenant cannot tell one from the other.
    const isGuest = isScoped && found.state === 'found' && found.item.client_id === undefined && names.get(`email ${email}`) === undefined
    const byIndex = isGuest || found.state === 'missing' ? await lookupByIndex(sources, at) : found
    return found.state === 'missing' ? byIndex : found
  }
  const idOf = ({ id, client_id }: Guard) => {
    client = client_id
    if (client_id === undefined) guest = id
    return id
  }
  // Remembered, a guest would answer a round trip sooner than nobody does.
  const lookup = nameLookup(sources, 'email', name, load, idOf, ({ client_id }) => !isScoped || client_id !== undefined)
  return {
    ...lookup,
    find: () =>
      whenThere(lookup.find(), (found) => (isScoped && isUnusable(found) && found.state === 'missing' ? idOfNobody(name.text) : found)),
    client: () => client,
    isNobody: (user) => {
      if (name.by !== 'lookup') return false
      if (user?.state === 'found' && user.item.email !== name.text) return true
      if (!isScoped) return false
      if (user?.state === 'found' && guest !== undefined) names.set(`email ${name.text}`, guest)
      return user === undefined ? client === undefined : user.state === 'missing'
    },
  }
}

/** The client of the user of a question. */
export const clientOf =
  (sources: Sources, name: Name, lookup: UserLookup): UserClient =>
  async () => {
    const id = name.by === 'id' ? name.text : await lookup.find()
    const user = id === undefined || isUnusable(id) ? undefined : await loadRecord(sources, wanted(User, { id }))
    return user?.state === 'found' ? (user.item.client_id ?? 'internal') : undefined
  }

const projectName = (id: string) => `project ${id}`
const buildingName = (id: string) => `building ${id}`

/** The path of a building or project as it was the last time. That is a guess, which the read of its place confirms or refutes. */
export function pathRemembered({ names }: Sources, { client, project, building }: ScopeAsked): Path | undefined {
  if (building !== undefined && project === undefined) {
    const [client_id, project_id] = names.get(buildingName(building))?.split(' ') ?? []
    return client_id === undefined || project_id === undefined ? undefined : { client_id, project_id, building_id: building }
  }
  if (project !== undefined && client === undefined) {
    const client_id = names.get(projectName(project))
    return client_id === undefined ? undefined : { client_id, project_id: project, building_id: building }
  }
  return client === undefined ? undefined : { client_id: client, project_id: project, building_id: building }
}

function rememberPath({ names }: Sources, { client_id, project_id, building_id }: Path): void {
  if (project_id === undefined) return
  names.set(projectName(project_id), client_id)
  if (building_id !== undefined) names.set(buildingName(building_id), `${client_id} ${project_id}`)
}

/** The path of a building by its place; undefined for one that is not there, or was not read. It is remembered. */
export function placedPath(sources: Sources, place: LoadResult<Item<typeof BuildingPlace>> | undefined): Path | undefined {
  if (place?.state !== 'found' || place.item.client_id === undefined) return undefined
  const { client_id, project_id, id: building_id } = place.item
  rememberPath(sources, { client_id, project_id, building_id })
  return { client_id, project_id, building_id }
}

/** A building without its project: the project has to be looked up. */
const isBare = ({ project, building }: ScopeAsked): boolean => building !== undefined && project === undefined

/** The client of the user who is asked about; undefined if there is no such user. */
export type UserClient = () => Promise<string | 'internal' | undefined>

/**
 * The path of a building or project that has no place, since another program wrote it: within a client it is found, a building by GSI1. What is there is read
 * and verified by its path, as ever. No index of the document leads from a bare id to its client, so it is looked for at that of the user. Throws `NotAdopted`
 * for an internal user, who has none.
 */
async function unplacedPath(sources: Sources, { client, project, building }: ScopeAsked, user: UserClient): Promise<Path | undefined> {
  const { tenant } = sources.runtime
  const ofUser = client === undefined && tenant === undefined ? await user() : undefined
  if (ofUser === 'internal') await checkAdopted(sources.runtime, 'The client of a bare id is told by its place')
  const client_id = client ?? tenant ?? ofUser
  if (client_id === undefined || client_id === 'internal') return undefined
  if (project !== undefined) return { client_id, project_id: project, building_id: building }
  const [found] = (building === undefined ? undefined : await byIndex(sources.runtime, BuildingPlace, { client_id, id: building })) ?? []
  return found && { client_id, project_id: found.project_id, building_id: building }
}

/** The path of a scope up to its client. A scope of another client than the question says is unknown. */
async function pathOf(sources: Sources, asked: ScopeAsked, user: UserClient): Promise<Path | Unusable> {
  const { client, project, building } = asked
  if (client !== undefined && !isBare(asked)) return { client_id: client, project_id: project, building_id: building }
  const at = wanted(isBare(asked) ? BuildingPlace : ProjectPlace, { id: (isBare(asked) ? building : project) ?? '' })
  const loaded = await loadRecord(sources, at)
  if (loaded.state === 'missing') return (await unplacedPath(sources, asked, user)) ?? loaded
  if (loaded.state !== 'found') return loaded
  const { client_id } = loaded.item
  if (client_id === undefined || (client !== undefined && client !== client_id))
    return { state: 'missing', entity: at.entity.name, key: at.key, message: 'It is not in this client.' }
  const path = { client_id, project_id: 'project_id' in loaded.item ? loaded.item.project_id : project, building_id: building }
  rememberPath(sources, path)
  return path
}

const isSame = (one: Path, other: Path) =>
  one.client_id === other.client_id && one.project_id === other.project_id && one.building_id === other.building_id

/** The look-up of a scope. */
export function pathLookup(sources: Sources, asked: ScopeAsked, user: UserClient = async () => undefined): Lookup<Path> {
  return { guess: pathRemembered(sources, asked), find: () => pathOf(sources, asked, user), isSame }
}

/**
 * Reads by the ids of a scope and other names. A building that was looked up by itself may move between the look-up and the read: then it is read
 * where it is now.
 * @param isGone true if the building of the scope was not found
 */
export async function resolveAt<L extends Lookups & { readonly path: Lookup<Path> }, T>(
  lookups: L,
  asked: ScopeAsked,
  read: (ids: IdsOf<L>) => Promise<T>,
  isGone: (read: T) => boolean,
): Promise<Resolved<L, T>> {
  const first = await resolveNames(lookups, read)
  if (!isBare(asked) || first.read === undefined || !isGone(first.read)) return first
  const path = await lookups.path.find()
  // Something was read, so all names were found. That of the path gave a path.
  const known = first.ids as IdsOf<L> & { readonly path: Path }
  if (path === undefined || isUnusable(path) || isSame(path, known.path)) return first
  const ids = { ...known, path }
  return { ...first, ids, read: await read(ids) }
}
