import { clientOf } from '@freehold/client'
import type { rebacModule } from '@freehold/designs/rebac'

export async function overHttp(url: string, key: string): Promise<readonly string[]> {
  const rebac = clientOf<typeof rebacModule>({ url, key, design: 'rebac' })
  const { allowed } = await rebac.can({ user: 'ada@example.org', location: 'NYC001', page: 'reports' })
  if (!allowed) return []

  const pages: string[] = []
  for await (const { page } of rebac.all('what', { user: 'ada@example.org', location: 'NYC001' })) pages.push(page)

  await rebac.flow('createRole', { roleName: 'driver' })
  return pages
}
