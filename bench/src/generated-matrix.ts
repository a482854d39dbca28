/** A role matrix of any size, the same for the same shape. */
export interface MatrixShape {
  readonly users: number
  readonly roles: number
  readonly permissions: number
  readonly rolesOfUser: number
  readonly permissionsOfRole: number
}

/** As large as the largest published set of its form: about 185,000 pairs of user and permission. */
export const largeShape: MatrixShape = { users: 3500, roles: 3000, permissions: 10_000, rolesOfUser: 6, permissionsOfRole: 9 }

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}

/** Distinct numbers from 0 up to but not including `of`, spread by a step that has no divisor in common with it. */
function spread(seed: number, count: number, of: number): readonly number[] {
  let step = (seed * 7919) % of || 1
  while (gcd(step, of) !== 1) step++
  return Array.from({ length: count }, (_, index) => (seed * 104_729 + index * step) % of)
}

export const rolesOf = (user: number, { rolesOfUser, roles }: MatrixShape): readonly number[] => spread(user + 1, rolesOfUser, roles)
export const permissionsOf = (role: number, { permissionsOfRole, permissions }: MatrixShape): readonly number[] =>
  spread(role + 1, permissionsOfRole, permissions)

/** In pieces of many lines, as a file is read. */
async function* pieces(lines: Iterable<string>): AsyncGenerator<string, void, void> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < 65_536) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* userRoles(shape: MatrixShape): Generator<string, void, void> {
  yield 'user,role\n'
  for (let user = 0; user < shape.users; user++) for (const role of rolesOf(user, shape)) yield `u${user},r${role}\n`
}

function* rolePermissions(shape: MatrixShape): Generator<string, void, void> {
  yield 'role,permission\n'
  for (let role = 0; role < shape.roles; role++) for (const permission of permissionsOf(role, shape)) yield `r${role},p${permission}\n`
}

export const userRolesCsv = (shape: MatrixShape): AsyncGenerator<string, void, void> => pieces(userRoles(shape))
export const rolePermissionsCsv = (shape: MatrixShape): AsyncGenerator<string, void, void> => pieces(rolePermissions(shape))
