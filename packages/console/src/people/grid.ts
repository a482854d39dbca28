import type { ToldRole, Values } from '../app/told.ts'
import { textOf } from '../app/told.ts'

/** One permission of a role, in the terms of the grid. */
export interface Permission {
  /** The parts of its row. `*` stands for each. */
  readonly row: readonly string[]
  readonly column: string
  readonly isAllowed: boolean
  /** The name of the role from which it is inherited. */
  readonly from?: string
}
export interface Cell {
  readonly permission: Permission
  /** The permission as a text, if it covers more than this cell. */
  readonly wildcard?: string
}
export interface Grid {
  readonly rows: readonly (readonly string[])[]
  readonly columns: readonly string[]
  readonly isDangerous: (row: readonly string[], column: string) => boolean
  /** What decides a cell: a denial first, then what is the role's own, then what is inherited. */
  readonly cellOf: (row: readonly string[], column: string) => Cell | undefined
}

const any = '*'
type Told = NonNullable<ToldRole['permissions']>

/** The permissions that an item says: one by its column, or one for each of its flags. */
export function permissionsOf({ rows = [], column, flags, where }: Told, item: Values, from: string | undefined): readonly Permission[] {
  const row = rows.map((name) => textOf(item[name]))
  const inherited = from === undefined ? {} : { from }
  if (flags !== undefined)
    return Object.entries(flags).flatMap(([flag, word]) =>
      item[flag] === true ? [{ row, column: word, isAllowed: true, ...inherited }] : [],
    )
  const isAllowed = Object.entries(where ?? {}).every(([name, value]) => item[name] === value)
  return [{ row, column: column === undefined ? 'may' : textOf(item[column]), isAllowed, ...inherited }]
}

/** The permissions that a role lists by itself: records, or texts whose last part is what is done. */
export const listedIn = (told: Told, role: Values, from: string | undefined): readonly Permission[] => {
  const listed = told.list === undefined ? undefined : role[told.list]
  if (!Array.isArray(listed)) return []
  return listed.flatMap((each: unknown): readonly Permission[] => {
    if (typeof each === 'object' && each !== null) return permissionsOf(told, each as Values, from)
    const row = [textOf(each)]
    return [{ row, column: 'may', isAllowed: true, ...(from === undefined ? {} : { from }) }]
  })
}

export const isListed = ({ list, listed = {}, entity }: Told, role: Values): boolean =>
  list !== undefined && (entity === undefined || Object.entries(listed).every(([name, value]) => role[name] === value))

const covers = (permission: Permission, row: readonly string[], column: string): boolean =>
  [...permission.row, permission.column].every((part, index) => part === any || part === [...row, column][index])
const isWhole = ({ row, column }: Pick<Permission, 'row' | 'column'>) => !row.includes(any) && column !== any

/** Rows and columns are those of the catalogue and of what is allowed. A wildcard is shown in each cell that it covers, and alone where nothing is known that it covers. */
export function gridOf(permissions: readonly Permission[], catalogue: readonly Values[], told: Told): Grid {
  const known = catalogue.flatMap((item) => permissionsOf({ ...told, where: {} }, item, undefined))
  const whole = [...known, ...permissions.filter(isWhole)]
  const stray = permissions.filter((each) => !isWhole(each) && !whole.some(({ row, column }) => covers(each, row, column)))
  const all = [...whole, ...stray]
  const rows = [...new Map(all.map(({ row }) => [row.join('\n'), row])).entries()].sort(([one], [other]) => one.localeCompare(other))
  const flags = Object.values(told.flags ?? {})
  const columns = flags.length > 0 ? flags : [...new Set(all.map(({ column }) => column))].sort()
  const dangerous = new Set(
    catalogue.flatMap((item, index) =>
      told.dangerous !== undefined && item[told.dangerous] === true ? [JSON.stringify(known[index])] : [],
    ),
  )
  const weight = ({ isAllowed, from }: Permission) => (isAllowed ? (from === undefined ? 1 : 2) : 0)
  return {
    rows: rows.map(([, row]) => row),
    columns,
    isDangerous: (row, column) => dangerous.has(JSON.stringify({ row, column, isAllowed: true })),
    cellOf: (row, column) => {
      const [first] = permissions.filter((each) => covers(each, row, column)).sort((one, other) => weight(one) - weight(other))
      if (first === undefined) return undefined
      return isWhole(first) ? { permission: first } : { permission: first, wildcard: [...first.row, first.column].join(':') }
    },
  }
}
