import { importMatrix, type MatrixFile, matrixColumns, type Offer, readCsv } from '@freehold/designs'
import { FreeholdError } from '@freehold/table'
import { readablePath, readStream } from '../input/input-file.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { rebacTable } from '../opening/rebac-table.ts'
import { counted } from '../output/counted.ts'
import { listedReport, reportRow, reportSentence } from '../output/import-report.ts'
import { progressOf } from '../output/progress.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

export interface MatrixCommandOptions extends TableOptions {
  readonly userRoles: string
  readonly rolePermissions: string
  readonly location: string
  readonly emailDomain: string
}

/** Imports a role matrix, each of its files with a report of its own. Run again it goes on where it ended, and then changes nothing. */
export async function importRoleMatrix(shell: Shell, offer: Offer, options: MatrixCommandOptions): Promise<Exit> {
  const { userRoles, rolePermissions, location, emailDomain, json = false } = options
  if (offer.design.name !== 'rebac') {
    throw new FreeholdError('InvalidInput', `${offer.design.name} takes no role matrix: rebac does.`, { design: offer.design.name })
  }
  const files: Readonly<Record<MatrixFile, string>> = { userRoles, rolePermissions }
  for (const file of Object.values(files)) await readablePath(shell, file)
  return withTable(shell, { offer, name: 'freehold import' }, options, async (opened) => {
    const progress = progressOf(shell)
    const report = await importMatrix(rebacTable(opened), {
      userRoles: readCsv(await readStream(shell, userRoles), matrixColumns.userRoles),
      rolePermissions: readCsv(await readStream(shell, rolePermissions), matrixColumns.rolePermissions),
      location,
      emailDomain,
      onProgress: (file, { rows, failed }) => progress.show(`${files[file]}: ${counted(rows, 'row')} read, ${failed} failed`),
      onFailed: (file, failed) => {
        progress.end()
        if (!json) shell.err(reportRow(files[file], failed))
      },
    })
    progress.end()
    const { userRoles: users, rolePermissions: permissions } = report
    if (json) await printJson(shell, { rolePermissions: listedReport(permissions), userRoles: listedReport(users) })
    else await shell.out(reportSentence(rolePermissions, permissions) + reportSentence(userRoles, users))
    return users.failed + permissions.failed === 0 ? exit.yes : exit.no
  })
}
