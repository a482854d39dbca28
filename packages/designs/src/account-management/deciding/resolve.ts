import { parallel } from '@freehold/table/runtime'
import { loadRecord } from '../../decision/load.ts'
import { type Unusable, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { BuildingPlace, ProjectPlace, UserEmail } from '../design.ts'
import type { Path } from './place.ts'
import type { Name, PlaceAsked } from './question.ts'

export interface Named {
  readonly user?: Name
  readonly place?: PlaceAsked
}
export interface Ids {
  readonly user_id?: string | undefined
  /** The client of a user who was looked up by name, as the name says; a hint of where its roles are. */
  readonly user_client?: string | undefined
  readonly path?: Path | undefined
}

/** What reading by names gave. */
export interface Resolved<T> {
  readonly ids: Ids
  /** Names that stand for nothing. */
  readonly unusable: readonly Unusable[]
  /** Undefined where an id is. */
  readonly read: T | undefined
}

const emailName = (email: string) => `email ${email}`
const projectName = (id: string) => `project ${id}`
const buildingName = (id: string) => `building ${id}`

/** The path of a building or project as it was the last time; a guess, which the read of its place confirms or refutes. */
export function pathRemembered({ names }: Sources, { client, project, building }: PlaceAsked): Path | undefined {
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

export function rememberPath({ names }: Sources, { client_id, project_id, building_id }: Path): void {
  if (project_id === undefined) return
  names.set(projectName(project_id), client_id)
  if (building_id !== undefined) names.set(buildingName(building_id), `${client_id} ${project_id}`)
}

/** A building without its project: where it is has to be looked up. */
const isBare = ({ project, building }: PlaceAsked): boolean => building !== undefined && project === undefined

/** The path of a place, from what is known of it up to its client. What lies elsewhere than it was said to is unknown there. */
async function pathOf(sources: Sources, asked: PlaceAsked): Promise<Path | Unusable> {
  const { client, project, building } = asked
  if (client !== undefined && !isBare(asked)) return { client_id: client, project_id: project, building_id: building }
  const at = wanted(isBare(asked) ? BuildingPlace : ProjectPlace, { id: (isBare(asked) ? building : project) ?? '' })
  const looked = await loadRecord(sources, at)
  if (looked.state !== 'found') return looked
  const { client_id } = looked.item
  if (client_id === undefined || (client !== undefined && client !== client_id))
    return { state: 'missing', entity: at.entity.name, key: at.key, message: 'It is not in this client.' }
  const path = { client_id, project_id: 'project_id' in looked.item ? looked.item.project_id : project, building_id: building }
  rememberPath(sources, path)
  return path
}

type UserIds = Pick<Ids, 'user_id' | 'user_client'>

async function userOf(sources: Sources, { by, text }: Name): Promise<UserIds | Unusable> {
  if (by === 'id') return { user_id: text }
  const looked = await loadRecord(sources, wanted(UserEmail, { email: text }))
  if (looked.state !== 'found') return looked
  sources.names.set(emailName(text), looked.item.id)
  return { user_id: looked.item.id, user_client: looked.item.client_id }
}

const same = (one: Ids, other: Ids) =>
  one.user_id === other.user_id &&
  one.path?.client_id === other.path?.client_id &&
  one.path?.project_id === other.path?.project_id &&
  one.path?.building_id === other.path?.building_id

const isUnusable = (found: UserIds | Path | Unusable | undefined): found is Unusable => found !== undefined && 'state' in found

function guessed(sources: Sources, { user, place }: Named): Ids {
  return {
    user_id: user === undefined || user.by === 'id' ? user?.text : sources.names.get(emailName(user.text)),
    path: place === undefined ? undefined : pathRemembered(sources, place),
  }
}

const isWhole = ({ user, place }: Named, { user_id, path }: Ids) =>
  (user === undefined || user_id !== undefined) && (place === undefined || path !== undefined)

/** The ids of names as far as they are known without a look: what can be read ahead. */
export const idsAhead = guessed

/**
 * Reads what hangs on ids that are asked for by name. For a name that has to be looked up, what it stood for the last time is guessed and
 * read side by side with the name; where the name says otherwise, it is read again, one round trip later.
 * @param isGone true where the building of the place was not found: one that was looked up by itself may have moved between the look and the read,
 * and is then read where it is now
 */
export async function resolved<T>(
  sources: Sources,
  named: Named,
  read: (ids: Ids) => Promise<T>,
  isGone: (read: T) => boolean = () => false,
): Promise<Resolved<T>> {
  const guess = guessed(sources, named)
  const [early, user, place] = await parallel(
    () => (isWhole(named, guess) ? read(guess) : Promise.resolve(undefined)),
    () => (named.user === undefined ? Promise.resolve(undefined) : userOf(sources, named.user)),
    () => (named.place === undefined ? Promise.resolve(undefined) : pathOf(sources, named.place)),
  )
  const unusable = [user, place].filter(isUnusable)
  const ids: Ids = { ...(isUnusable(user) ? {} : user), path: isUnusable(place) ? undefined : place }
  if (!isWhole(named, ids)) return { ids, unusable, read: undefined }
  const first = early !== undefined && same(guess, ids) ? early : await read(ids)
  if (named.place === undefined || !isBare(named.place) || !isGone(first)) return { ids, unusable, read: first }
  const moved: Ids = { ...ids, path: await pathIn(sources, named.place) }
  return isWhole(named, moved) && !same(ids, moved) ? { ids: moved, unusable, read: await read(moved) } : { ids, unusable, read: first }
}

async function pathIn(sources: Sources, place: PlaceAsked): Promise<Path | undefined> {
  const path = await pathOf(sources, place)
  return isUnusable(path) ? undefined : path
}
