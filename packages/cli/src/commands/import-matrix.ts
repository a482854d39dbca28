import { type AccountTable, accountManagement, importAccountMatrix } from '@freehold/designs/account-management'
import { importMatrix, rebac } from '@freehold/designs/rebac'
import type { DesignModule } from '@freehold/frame'
import { type MatrixFile, type MatrixReport, matrixColumns, type RoleMatrix, readCsv } from '@freehold/frame/exchange'
import { operator } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import { checkEmailDomain } from '../input/email-domain.ts'
import { readablePath, readStream } from '../input/input-file.ts'
import { invalid } from '../input/invalid.ts'
import { type Opened, type TableOptions, withTable } from '../opening/open-table.ts'
import { rebacTable } from '../opening/rebac-table.ts'
import { counted } from '../output/counted.ts'
import { listedReport, reportRow, reportSentence } from '../output/import-report.ts'
import { listed } from '../output/listed.ts'
import { progressOf } from '../output/progress.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** The options that name the scope of a matrix: one for each kind of scope. */
export const matrixScopes = ['location', 'client'] as const
type MatrixScope = (typeof matrixScopes)[number]

export interface MatrixCommandOptions extends TableOptions, Readonly<Partial<Record<MatrixScope, string>>> {
  readonly userRoles?: string
  readonly rolePermissions?: string
  readonly emailDomain: string
  readonly confirmDangerous?: boolean
}

/** How a design imports a matrix. */
interface MatrixForm {
  readonly scope: MatrixScope
  /** True if the design marks permissions as dangerous. */
  readonly confirms: boolean
  run(opened: Opened, matrix: RoleMatrix, scope: string, confirm_dangerous: boolean): Promise<MatrixReport>
}

/** An opened table of account-management with its own types. Features that were left out must not be used. Throws `InvalidInput`. */
function accountTable({ table }: Opened): AccountTable {
  // Compared by name, since the design without some features is another object.
  if (table.design.name === accountManagement.name) return table as unknown as AccountTable
  throw new FreeholdError('InvalidInput', `${table.design.name} is not account-management.`, { design: table.design.name })
}

const forms: ReadonlyMap<string, MatrixForm> = new Map<string, MatrixForm>([
  [
    rebac.name,
    {
      scope: 'location',
      confirms: false,
      run: (opened, matrix, location) => {
        const record = opened.flows?.importRecorder(opened.table, { actor: { ...operator, name: 'freehold import' } })
        return importMatrix(rebacTable(opened), { ...matrix, location, record })
      },
    },
  ],
  [
    accountManagement.name,
    {
      scope: 'client',
      confirms: true,
      run: (opened, matrix, client, confirm_dangerous) =>
        importAccountMatrix(accountTable(opened), { ...matrix, client, confirm_dangerous }),
    },
  ],
])

/** Checks the options of a matrix, and finds the form that the design needs. */
function checked({ design }: Pick<DesignModule, 'design'>, file: string | undefined, options: MatrixCommandOptions) {
  const form = forms.get(design.name)
  if (form === undefined) throw invalid(`${design.name} imports no role matrix. These designs do: ${listed([...forms.keys()])}.`)
  const { userRoles, rolePermissions } = options
  const scope = options[form.scope]
  const isElsewhere = matrixScopes.some((other) => other !== form.scope && options[other] !== undefined)
  if (file !== undefined || userRoles === undefined || rolePermissions === undefined || scope === undefined || isElsewhere)
    throw invalid(`A role matrix needs --user-roles, --role-permissions and --${form.scope}, and no other file.`)
  if (options.confirmDangerous === true && !form.confirms)
    throw invalid(`${design.name} marks no permission as dangerous: leave --confirm-dangerous out.`)
  return { form, userRoles, rolePermissions, scope }
}

/** Imports a role matrix, with a report for each of its files. A second run continues a broken import, and otherwise changes nothing. */
export async function importRoleMatrix(
  shell: Shell,
  module: DesignModule,
  file: string | undefined,
  options: MatrixCommandOptions,
): Promise<Exit> {
  const { form, userRoles, rolePermissions, scope } = checked(module, file, options)
  const { emailDomain, confirmDangerous = false, json = false } = options
  checkEmailDomain(emailDomain)
  const files: Readonly<Record<MatrixFile, string>> = { userRoles, rolePermissions }
  for (const each of Object.values(files)) await readablePath(shell, each)
  return withTable(shell, { module, name: 'freehold import' }, options, async (opened) => {
    const progress = progressOf(shell)
    const matrix: RoleMatrix = {
      userRoles: readCsv(await readStream(shell, userRoles), matrixColumns.userRoles),
      rolePermissions: readCsv(await readStream(shell, rolePermissions), matrixColumns.rolePermissions),
      emailDomain,
      onProgress: (part, { rows, failed }) => progress.show(`${files[part]}: ${counted(rows, 'row')} read, ${failed} failed`),
      onFailed: (part, failed) => {
        progress.end()
        if (!json) shell.err(reportRow(files[part], failed))
      },
    }
    const report = await form.run(opened, matrix, scope, confirmDangerous)
    progress.end()
    const { userRoles: users, rolePermissions: permissions } = report
    if (json) await printJson(shell, { rolePermissions: listedReport(permissions), userRoles: listedReport(users) })
    else await shell.out(reportSentence(rolePermissions, permissions) + reportSentence(userRoles, users))
    return users.failed + permissions.failed === 0 ? exit.yes : exit.no
  })
}
