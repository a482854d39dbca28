import { decideRebac, importMatrix, type RebacTable, rebac } from '@freehold/designs/rebac'
import { matrixColumns, matrixEmail, readCsv } from '@freehold/frame/exchange'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from './engine.js'
import { largeShape, type MatrixShape, permissionsOf, rolePermissionsCsv, rolesOf, userRolesCsv } from './generated-matrix.js'

// How long the import of a large role matrix and questions about it take, and how much memory this process has at most.

const location = 'HQ'
const questions = 20_000
const batch = 100

let rss_max = 0
function look(): void {
  rss_max = Math.max(rss_max, process.memoryUsage().rss)
}

async function timed(what: string, work: () => Promise<string>): Promise<void> {
  const before = performance.now()
  const outcome = await work()
  look()
  const seconds = (performance.now() - before) / 1000
  console.log(`${what.padEnd(28)}${seconds.toFixed(1).padStart(8)} s   RSS at most ${(rss_max / 2 ** 20).toFixed(0)} MB   ${outcome}`)
}

async function imported(table: RebacTable, shape: MatrixShape): Promise<string> {
  const { userRoles, rolePermissions } = await importMatrix(table, {
    userRoles: readCsv(userRolesCsv(shape), matrixColumns.userRoles),
    rolePermissions: readCsv(rolePermissionsCsv(shape), matrixColumns.rolePermissions),
    location,
    onProgress: look,
  })
  const sum = (name: 'rows' | 'written' | 'failed') => `${userRoles[name] + rolePermissions[name]} ${name}`
  return [sum('rows'), sum('written'), sum('failed')].join(', ')
}

/** Every other question is about a permission that the user has. */
async function asked(table: RebacTable, shape: MatrixShape): Promise<string> {
  const decider = decideRebac(table.runtime)
  let wrong = 0
  for (let from = 0; from < questions; from += batch) {
    const pairs = Array.from({ length: batch }, (_, index) => {
      const user = ((from + index) * 31) % shape.users
      const own = new Set(rolesOf(user, shape).flatMap((role) => permissionsOf(role, shape)))
      const permission = index % 2 === 0 ? ([...own][index % own.size] ?? 0) : (from * 17 + index) % shape.permissions
      return { user, permission, isOwn: own.has(permission) }
    })
    const answers = await decider.canMany(
      pairs.map(({ user, permission }) => ({ user: matrixEmail(`u${user}`), location, page: `p${permission}` })),
    )
    wrong += answers.filter(({ allowed }, index) => allowed !== pairs[index]?.isOwn).length
  }
  return `${questions} answers, ${wrong} wrong`
}

async function main(): Promise<void> {
  for (const shape of [largeShape, { ...largeShape, rolesOfUser: 24, permissionsOfRole: 36 }]) {
    const engine = await startBenchEngine()
    const table = connect(rebac, { dynamo: { endpoint: engine.endpoint } })
    try {
      await ensureTable(table.runtime)
      console.log(JSON.stringify(shape))
      await timed('import', () => imported(table, shape))
      await timed('the same import again', () => imported(table, shape))
      await timed('questions', () => asked(table, shape))
    } finally {
      table.close()
      await engine.stop()
    }
  }
}

await main()
