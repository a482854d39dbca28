import {
  idOfItem,
  liveItem,
  naming,
  noteOf,
  nothing,
  recordAlone,
  retryOnConflict,
  stateConflict,
  type View,
  waiting,
  writeRecorded,
  writeUnrecorded,
} from '@freehold/frame/flow'
import { checking, creating, type Entity, FreeholdError, type Item, removing, type Step, text, updating } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { GroupRole, Page, Role, RolePagePermission, UserGroup } from '../design.ts'
import type { RebacTable } from '../rebac-table.ts'
import { flow, inSystem, job, type RebacContext } from './rebac-host.ts'
import { checkNotRenamed } from './roles.ts'

// The name of a role or a page is its key, and that of its edges. So a new item is created, gets the edges, and then the old item is removed. Both
// carry the id of the job until then, and flows change neither.

/** The edges of one kind that hang on a name. */
interface NamedEdges {
  readonly edge: Entity
  all(table: RebacTable, name: string): AsyncIterable<View>
}

interface Kind {
  readonly entity: typeof Role | typeof Page
  readonly attribute: 'roleName' | 'pageName'
  /** Edges that the new item gets before the others: they grant nothing to anybody without those. They stay at the old item until it goes. */
  readonly copied?: NamedEdges
  /** Edges that change from the old item to the new one, each in one transaction: nobody has them twice, and nothing that was taken away comes back. */
  readonly moved: NamedEdges
  /** The other end of a moved edge, which counts its edges by its version. */
  readonly counting: Entity
}

const permissionsOfRole: NamedEdges = {
  edge: RolePagePermission,
  all: (table, roleName) => table.permissionsOfRole.all({ roleName }, { consistent: true }),
}
const groupsOfRole: NamedEdges = { edge: GroupRole, all: (table, roleName) => table.groupsOfRole.all({ roleName }, { consistent: true }) }
const rolesOfPage: NamedEdges = {
  edge: RolePagePermission,
  all: (table, pageName) => table.rolesOfPage.all({ pageName }, { consistent: true }),
}

const roleKind: Kind = { entity: Role, attribute: 'roleName', copied: permissionsOfRole, moved: groupsOfRole, counting: UserGroup }
const pageKind: Kind = { entity: Page, attribute: 'pageName', moved: rolesOfPage, counting: Role }

const input = { from: text(), to: text(), createdAt: text() }
/** `createdAt` tells the item that was meant from another one under the same name. */
interface Renaming {
  readonly from: string
  readonly to: string
  readonly createdAt: string
}

type Stage = { readonly stage: 'begin' | 'end' } | { readonly stage: 'copy' | 'move'; readonly view: View }
type Node = Item<typeof Role> | Item<typeof Page>

/** Looks at the edges of the old name: two if nobody else adds any. */
const looksMax = 20
/** Copied edges of the old item that the last transaction removes, as they were copied. What is beyond goes with the item. */
const removedMax = 40
/** Errors by which an end of an edge, or the edge, came or went meanwhile. */
const overtaken = ['AlreadyExists', 'NotFound', 'MissingEnd', 'BeingDeleted'] as const

/** The durable job that renames the items of one kind. */
function renamingJob(name: string, flowName: string, { entity, attribute, copied, moved, counting }: Kind) {
  const node: Entity = entity
  const idOf = (of: string) => ({ [attribute]: of }) as never
  const nodeOf = async ({ table }: RebacContext, of: string): Promise<Node | undefined> =>
    // Read by its entity's name.
    (await table.repositoryNamed(entity.name).get(idOf(of), { consistent: true })) as Node | undefined
  const isOf = (found: Node | undefined, id: string): boolean => found?.renaming === id && found.deleting === undefined
  const edgeAt = ({ table }: RebacContext, { edge }: NamedEdges, view: View, of: string): Promise<View | undefined> =>
    table.repositoryNamed(edge.name).get(idOfItem(edge, { ...view, [attribute]: of }), { consistent: true })
  /** The edge as the new item has it: with its first stamps. */
  const renamed = ({ edge }: NamedEdges, view: View, to: string): View =>
    Object.fromEntries(
      Object.entries(edge.attributes).flatMap(([each, { presence, madeOnWrite }]) =>
        presence === 'copied' || madeOnWrite ? [] : [[each, each === attribute ? to : view[each]]],
      ),
    )
  /** The values of an edge that belong to neither end. */
  const valuesOf = ({ edge }: NamedEdges, view: View): View =>
    Object.fromEntries(
      Object.entries(edge.attributes).flatMap(([each, { presence }]) =>
        presence === 'given' && !keyPlaceholders(edge).includes(each) ? [[each, view[each]]] : [],
      ),
    )
  /** The same text for an edge and its copy under the other name. */
  const identityWithoutName = ({ edge }: NamedEdges, view: View) =>
    JSON.stringify(
      Object.entries(edge.attributes).flatMap(([each, { presence }]) => (presence === 'given' && each !== attribute ? [view[each]] : [])),
    )
  const entryOf = (of: string) => ({ entity: node, id: of, tenant: undefined })

  /** Marks the old item and creates the new one. False: the item that was meant is not there any more, or it cannot have that name. */
  const begin = async (context: RebacContext, { from, to, createdAt }: Renaming, id: string): Promise<boolean> => {
    const old = await nodeOf(context, from)
    if (isOf(old, id)) return true
    if (old === undefined || old.deleting !== undefined || old.renaming !== undefined || (old.createdAt ?? '') !== createdAt) {
      await abandon(context, to, id)
      return false
    }
    if ((await nodeOf(context, to)) !== undefined) {
      await recordAlone(context, { ...entryOf(from), status: 'failure', more: { reason: 'AlreadyExists', to } })
      return false
    }
    const made = { [attribute]: to, description: old.description, renaming: id }
    const steps = {
      old: updating(node, idOf(from), { renaming: id } as never, { version: old.version }),
      made: creating(node, made as never),
    }
    await writeRecorded(context, steps, { ...entryOf(to), before: old, after: { ...old, [attribute]: to } })
    return true
  }

  /** The old item went, and not by this job: what the new one has was taken away with it. */
  const abandon = async (context: RebacContext, to: string, id: string) => {
    const made = await nodeOf(context, to)
    if (made === undefined || !isOf(made, id)) return
    const gone = removing(node, idOf(to), { version: made.version, note: noteOf(context) })
    await writeRecorded(context, { made: gone }, { ...entryOf(to), before: made })
  }

  const copy = async (context: RebacContext, kind: NamedEdges, view: View, { from, to }: Renaming, id: string) => {
    const there = await edgeAt(context, kind, view, from)
    if (there === undefined || (await edgeAt(context, kind, view, to)) !== undefined || !isOf(await nodeOf(context, from), id)) return
    await writeUnrecorded(context, {
      old: checking(node, idOf(from), { where: { renaming: id } as never }),
      there: checking(kind.edge, idOfItem(kind.edge, there), { where: valuesOf(kind, there) as never }),
      made: creating(kind.edge, renamed(kind, there, to) as never),
    })
  }

  const move = async (context: RebacContext, view: View, { from, to }: Renaming, id: string) => {
    const there = await edgeAt(context, moved, view, from)
    if (there === undefined || !isOf(await nodeOf(context, from), id)) return
    const other = await liveItem(context, counting, idOfItem(counting, there))
    const isMade = (await edgeAt(context, moved, view, to)) !== undefined
    const { version }: View = other
    await writeUnrecorded(context, {
      old: checking(node, idOf(from), { where: { renaming: id } as never }),
      counting: updating(counting, idOfItem(counting, there) as never, {} as never, { version: Number(version) }),
      gone: removing(moved.edge, idOfItem(moved.edge, there) as never, { version: Number(there.version) }),
      ...(isMade ? {} : { made: creating(moved.edge, renamed(moved, there, to) as never) }),
    })
  }

  /** Brings the copies to what the old item has now. Gives the edges that they are copies of, as they were read. */
  const settle = async (context: RebacContext, kind: NamedEdges, renaming: Renaming, id: string): Promise<readonly View[]> => {
    const read = async (of: string) => {
      const all = new Map<string, View>()
      for await (const view of kind.all(context.table, of)) all.set(identityWithoutName(kind, view), view)
      return all
    }
    for (let looks = 0; looks < looksMax; looks++) {
      const [there, copies] = [await read(renaming.from), await read(renaming.to)]
      const [extra, lacking] = [[...copies].filter(([text]) => !there.has(text)), [...there].filter(([text]) => !copies.has(text))]
      if (extra.length + lacking.length === 0) return [...there.values()]
      for (const [, view] of extra)
        await writeUnrecorded(context, { gone: removing(kind.edge, idOfItem(kind.edge, view) as never, { version: Number(view.version) }) })
      for (const [, view] of lacking) await copy(context, kind, view, renaming, id)
    }
    throw new FreeholdError('Busy', `Others keep changing the ${entity.name} ${renaming.from}.`, {})
  }

  /** Removes the old item, with all that is still on it, and lets the new one be changed: in one transaction. */
  const end = async (context: RebacContext, renaming: Renaming, id: string): Promise<void> => {
    const { from, to } = renaming
    const [old, made] = [await nodeOf(context, from), await nodeOf(context, to)]
    if (old === undefined || !isOf(old, id)) return abandon(context, to, id)
    const unmarked = { renaming: null } as never
    if (made === undefined || !isOf(made, id)) {
      const entry = { ...entryOf(from), status: 'failure', more: { reason: 'NewNameGone', to } } as const
      await writeRecorded(context, { old: updating(node, idOf(from), unmarked, { version: old.version }) }, entry)
      return
    }
    const steps: Record<string, Step> = {
      old: removing(node, idOf(from), { version: old.version, note: noteOf(context) }),
      made: updating(node, idOf(to), unmarked, { version: made.version }),
    }
    if (copied !== undefined)
      for (const [index, view] of (await settle(context, copied, renaming, id)).slice(0, removedMax).entries())
        steps[`copied ${index}`] = removing(copied.edge, idOfItem(copied.edge, view) as never, { version: Number(view.version) })
    await writeRecorded(context, steps, { ...entryOf(from), before: old, more: { renamed_to: to } })
  }

  return job({
    name,
    flow: flowName,
    input,
    subject: ({ from }) => `${entity.name.toUpperCase()}#${from}`,
    within: () => 'system',
    each: async function* ({ table }, { from }): AsyncGenerator<Stage, void, void> {
      yield { stage: 'begin' }
      if (copied !== undefined) for await (const view of copied.all(table, from)) yield { stage: 'copy', view }
      for (let looks = 0, isLeft = true; looks < looksMax && isLeft; looks++) {
        isLeft = false
        for await (const view of moved.all(table, from)) {
          isLeft = true
          yield { stage: 'move', view }
        }
      }
      yield { stage: 'end' }
    },
    does: (context, at, renaming, { id }) => {
      const does = async () => {
        if (at.stage === 'begin') return begin(context, renaming, id)
        if (at.stage === 'end') return end(context, renaming, id)
        // The edges that a job copies are not those that it moves.
        if (at.stage === 'copy' && copied !== undefined) return copy(context, copied, at.view, renaming, id)
        return at.stage === 'move' ? move(context, at.view, renaming, id) : undefined
      }
      const gone = at.stage === 'move' || at.stage === 'copy' ? (['AlreadyExists'] as const) : overtaken
      return retryOnConflict(context.table.runtime, does, gone)
    },
    // The other end of the edge is gone, or on its way out.
    passesOver: ['NotFound', 'MissingEnd', 'BeingDeleted'],
  })
}

export const renamingRole = renamingJob('renamingRole', 'renameRole', roleKind)
export const renamingPage = renamingJob('renamingPage', 'renamePage', pageKind)

/** Starts the job, if the item is there and its new name is free. Throws `NotFound`, `BeingDeleted`, `AlreadyExists`, `CheckFailed`. */
async function rename(
  context: RebacContext,
  { entity, attribute }: Kind,
  renaming: typeof renamingRole,
  { from, to, wait }: { readonly from: string; readonly to: string; readonly wait: boolean },
): Promise<void> {
  const find = (name: string) => context.table.repositoryNamed(entity.name).get({ [attribute]: name }, { consistent: true })
  // Read by its entity's name.
  const old = (await liveItem(context, entity as Entity, { [attribute]: from } as never)) as unknown as Node
  checkNotRenamed(old)
  if (from === to) return
  const taken = new FreeholdError('AlreadyExists', `There is a ${entity.name} ${to} already.`, { entity: entity.name, id: to })
  if ((await find(to)) !== undefined) throw taken
  const why = await renaming.start(context, { from, to, createdAt: old.createdAt ?? '' }, { wait })
  if (!wait) return
  const [left, made] = [(await find(from)) as Node | undefined, await find(to)]
  // The job gave up, or the item went before the job began.
  if (made === undefined || made.deleting !== undefined)
    throw (
      why ?? stateConflict(entity, 'NotRenamed', `The ${entity.name} ${from} was not renamed: others changed it meanwhile. Read it again.`)
    )
  if (left !== undefined && left.createdAt === old.createdAt && left.renaming === undefined && left.deleting === undefined)
    throw why ?? taken
}

const renames = {
  needs: 'operator',
  effect: 'write',
  returns: nothing,
  errors: ['NotFound', 'BeingDeleted', 'AlreadyExists', 'CheckFailed'],
  scope: inSystem,
} as const

/** For operators: a name holds at all locations. */
export const renameFlows = {
  renameRole: flow({
    name: 'renameRole',
    summary: 'Renames a role, with its pages and its groups. Until that is done, no flow changes either name.',
    input: { ...naming(Role, 'roleName'), to: Role.attributes.roleName, ...waiting },
    ...renames,
    writes: { update: Role },
    run: (context, { roleName: from, to, wait }) => rename(context, roleKind, renamingRole, { from, to, wait: wait !== false }),
  }),
  renamePage: flow({
    name: 'renamePage',
    summary: 'Renames a page, with what roles say of it. Until that is done, no flow changes either name.',
    input: { ...naming(Page, 'pageName'), to: Page.attributes.pageName, ...waiting },
    ...renames,
    writes: { update: Page },
    run: (context, { pageName: from, to, wait }) => rename(context, pageKind, renamingPage, { from, to, wait: wait !== false }),
  }),
}
