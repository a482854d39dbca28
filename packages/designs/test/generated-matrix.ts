/** A role matrix of any size, the same for the same shape: for measuring imports, and for interrupting them. */
export interface MatrixShape {
  readonly users: number
  readonly roles: number
  readonly permissions: number
  readonly rolesOfUser: number
  readonly permissionsOfRole: number
}

/** As large as the largest published set of its form: about 185,000 pairs of user and permission. */
export const largeShape: MatrixShape = { users: 3500, roles: 3000, permissions: 10_000, rolesOfUser: 6, permissionsOfRole: 10 }

/** Distinct members of 1 … `of`, spread by a step that has no divisor in common with it. */
function* spread(seed: number, count: number, of: number): Generator<number, void, void> {
  let step = (seed * 7919) % of || 1
  while (gcd(step, of) !== 1) step++
  for (let index = 0; index < count; index++) yield (((seed * 104_729 + index * step) % of) + of) % of
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

/** Line by line, sorted by role as the published sets are. */
export function* userRolesCsv({ users, roles, rolesOfUser }: MatrixShape): Generator<string, void, void> {
  yield 'user,role\n'
  const usersOfRole = Array.from({ length: roles }, (): number[] => [])
  for (let user = 0; user < users; user++) for (const role of spread(user + 1, rolesOfUser, roles)) usersOfRole[role]?.push(user)
  for (const [role, members] of usersOfRole.entries()) for (const user of members) yield `u${user + 1},r${role + 1}\n`
}

export function* rolePermissionsCsv({ roles, permissions, permissionsOfRole }: MatrixShape): Generator<string, void, void> {
  yield 'role,permission\n'
  for (let role = 0; role < roles; role++)
    for (const permission of spread(role + 1, permissionsOfRole, permissions)) yield `r${role + 1},p${permission + 1}\n`
}
