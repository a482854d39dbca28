import { type ListedIds, type LoadResult, nameOf, type Wanted, wanted } from '@freehold/frame/decision'
import { FreeholdError, isFreeholdError, type Runtime } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import { Resource } from '../design.ts'
import type { Values } from './properties.ts'

/** A resource of a tenant, as a question names it. */
export interface ResourceName {
  readonly tenant: string
  /** An entity type of the schema: `Ticket`. */
  readonly type: string
  readonly id: string
}

/** Gives resources that a program keeps elsewhere, in place of those of the table. */
export interface ResourceSource {
  /** The attributes of a resource in Cedar's JSON form; undefined for one that is not there. An error denies, as a fault. */
  attributesOf(resource: ResourceName): Promise<Values | undefined>
  /**
   * The ids of a tenant's resources of a type, in the order of their UTF-8 bytes: at most `limit` of those after `after`. Fewer say that there are no
   * more. Without this function no list enumerates resources.
   */
  idsOf?(asked: Omit<ResourceName, 'id'> & { readonly after: string | undefined; readonly limit: number }): Promise<readonly string[]>
}

/** What a decision knows of a resource: undefined if nothing is kept of its type. */
export type ResourceRecord = LoadResult<{ readonly attributes: Values; readonly version?: number }> | undefined

/** These are no resources that a tenant keeps: the design has them itself. */
const ofDesign: ReadonlySet<string> = new Set(['Tenant', 'User', 'Role', 'GlobalRole'])

export const isOfDesign = ({ type }: { readonly type: string }): boolean => ofDesign.has(type)

/** False where a deployer left the feature out. */
export const keepsResources = ({ design }: Pick<Runtime, 'design'>): boolean => Object.hasOwn(design.features, 'resources')

/** True if the table can keep resources of a type. */
export const isKeptType = (type: string): boolean => nameOf(Resource, 'type', { tenantId: '-', id: '-' })(type) === type

/** How a malformed resource is told, wherever it is kept. */
export const resourceKey = ({ tenant, type, id }: ResourceName) => ({ PK: `RESOURCES#${tenant}#${type}`, SK: id })

/** Where a resource lies. Undefined if none can lie there: an id that would be normalised is another one to Cedar. */
export function resourceAt({ tenant: tenantId, type, id }: ResourceName): Wanted<typeof Resource> | undefined {
  const isExact = isKeptType(type) && nameOf(Resource, 'id', { tenantId, type })(id) === id
  return isExact ? wanted(Resource, { tenantId, type, id }) : undefined
}

/** Asks a program's own source. */
export async function fromSource(source: ResourceSource, resource: ResourceName): Promise<ResourceRecord> {
  const attributes = await faulty(() => source.attributesOf(resource))
  return attributes === undefined
    ? { state: 'missing', entity: Resource.name, key: resourceKey(resource), message: 'There is no such resource.' }
    : { state: 'found', item: { attributes } }
}

/** An error of a program's own function is a fault: nothing is allowed by what it did not tell. */
export async function faulty<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isFreeholdError(error)) throw error
    throw new FreeholdError('Unavailable', 'The source of the resources failed.', { failure: 'resources' }, { cause: error })
  }
}

/**
 * Ids that a function lists, as a page reads them.
 * @param idsOf at most `limit` of those after an id, in the order of their UTF-8 bytes. Fewer say that there are no more
 * @param unusable what it found malformed so far
 */
export function idsFrom(
  idsOf: (after: string | undefined, limit: number) => Promise<readonly string[]>,
  after: string | undefined,
  unusable: ListedIds['unusable'] = [],
): ListedIds {
  const pool: string[] = []
  let [last, isLast] = [after, false]
  return {
    unusable,
    get isExhausted() {
      return pool.length === 0 && isLast
    },
    read: async (count) => {
      if (isLast || pool.length >= count) return 0
      const limit = count - pool.length
      const ids = await idsOf(last, limit)
      for (const id of ids) {
        // A list that goes back would never end, or leave some out.
        if (last !== undefined && compareKeys(id, last) <= 0)
          throw new FreeholdError('Unavailable', 'The source of the resources does not list them in the order of their ids.', {
            failure: 'resources',
          })
        last = id
        pool.push(id)
      }
      isLast = ids.length < limit
      return 1
    },
    take: (count) => pool.splice(0, count).map((id) => [id, []]),
  }
}
