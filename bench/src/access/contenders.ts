import { createMongoAbility } from '@casl/ability'
import { type AccessSnapshot, type AskedScope, type Permission, readAccess } from '@freehold/designs/account-management/access'
import type { Matrix, MatrixUser } from './matrix.js'

/** A question as each contender takes it: what is asked is there before the clock runs, but for the text of a key. */
export interface Question {
  readonly user: number
  readonly permission: Permission
  readonly place: AskedScope
  /** The key of a plain set. */
  readonly text: string
  readonly isAllowed: boolean
}

export interface Contender {
  readonly name: string
  can(question: Question): boolean
}

const textOf = ({ module, action, resource }: Permission) => `${module}:${action}:${resource}`

/** Every user of the matrix with every permission of it. */
export function questionsOf({ users, permissions, client }: Matrix): readonly Question[] {
  const place = { client }
  return users.flatMap(({ permissions: own }, user) =>
    [...permissions].map(([name, permission]) => ({ user, permission, place, text: textOf(permission), isAllowed: own.has(name) })),
  )
}

function granted({ data }: MatrixUser): readonly Permission[] {
  return data.grants.flatMap(({ permissions }) => permissions)
}

function snapshotsOf({ users }: Matrix): readonly AccessSnapshot[] {
  return users.map(({ data }) => readAccess(data))
}

/** A snapshot as a browser reads it, by the clock of this machine. */
function snapshot(matrix: Matrix): Contender {
  const snapshots = snapshotsOf(matrix)
  return { name: 'snapshot', can: ({ user, permission }) => snapshots[user]?.can(permission) === true }
}

/** The same with one time for all questions, which shows what the clock takes. */
function snapshotAtOneTime({ users }: Matrix): Contender {
  const now = Date.now()
  const snapshots = users.map(({ data }) => readAccess(data, { now_ms: () => now }))
  return { name: 'snapshot, clock stopped', can: ({ user, permission }) => snapshots[user]?.can(permission) === true }
}

function snapshotWithPlace(matrix: Matrix): Contender {
  const snapshots = snapshotsOf(matrix)
  return { name: 'snapshot, place named', can: ({ user, permission, place }) => snapshots[user]?.can(permission, place) === true }
}

/** CASL as its documentation shows it: a rule for each action, with its subjects. The module, which is the same in all, it is spared. */
function casl(matrix: Matrix): Contender {
  const abilities = matrix.users.map((user) => {
    const subjects = [...new Set(granted(user).map(({ resource }) => resource))]
    return createMongoAbility([{ action: 'use', subject: subjects }])
  })
  return { name: 'CASL', can: ({ user, permission }) => abilities[user]?.can(permission.action, permission.resource) === true }
}

function plainSets({ users }: Matrix): ReadonlyMap<number, ReadonlySet<string>> {
  return new Map(users.map((user, index) => [index, new Set(granted(user).map(textOf))]))
}

/** No wildcards, no scopes, no end. */
function mapOfSets(matrix: Matrix): Contender {
  const sets = plainSets(matrix)
  return { name: 'Map of Sets', can: ({ user, permission }) => sets.get(user)?.has(textOf(permission)) === true }
}

function mapOfSetsByText(matrix: Matrix): Contender {
  const sets = plainSets(matrix)
  return { name: 'Map of Sets, keys kept', can: ({ user, text }) => sets.get(user)?.has(text) === true }
}

export function contendersOn(matrix: Matrix): readonly Contender[] {
  const contenders = [
    snapshot(matrix),
    snapshotWithPlace(matrix),
    snapshotAtOneTime(matrix),
    casl(matrix),
    mapOfSets(matrix),
    mapOfSetsByText(matrix),
  ]
  for (const { name, can } of contenders) {
    const wrong = questionsOf(matrix).filter((question) => can(question) !== question.isAllowed).length
    if (wrong > 0) throw new Error(`${name} answers ${wrong} questions otherwise than the matrix says.`)
  }
  return contenders
}
