import type { Stored } from '@freehold/table/runtime'
import { assignment, building, client, idOf, project, role, user } from './account-items.ts'

export const acme = idOf('client', 1)
export const harbour = idOf('project', 1)
export const pier = idOf('building', 1)
export const ada = idOf('user', 1)
export const reader = idOf('role', 1)
export const camera = { module: 'devices', action: 'read', resource: 'camera' }

/** A role that embeds these permissions. */
export const granting = (items: readonly Stored[], ...permissions: readonly (typeof camera)[]): Stored[] =>
  items.map((item) => (item.Type === 'Role' ? { ...item, permissions } : item))

/** Ada, a reader of cameras at the harbour of Acme, where the pier is. */
export const adaAtHarbour: readonly Stored[] = [
  ...client(acme),
  ...project(acme, harbour),
  ...building(acme, harbour, pier),
  ...user(acme, ada, 'ada@example.org'),
  ...granting(role(acme, reader, 'reader'), camera),
  ...assignment(acme, ada, reader, 'project', harbour),
]
