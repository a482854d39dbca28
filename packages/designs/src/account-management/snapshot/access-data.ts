import type { SnapshotData } from '@freehold/frame/snapshot'
import type { Permission } from '../permission/permission.ts'

export { accessFormat } from '@freehold/frame/snapshot'

// This folder imports nothing but permission/permission.ts, which imports nothing, and decision/snapshot: a browser loads it as it stands.

/** A client, one of its projects, or a building of that: the last id is the scope's own. All ids are as they are stored, in lower case. */
export interface ScopeIds {
  readonly client_id: string
  readonly project_id?: string
  readonly building_id?: string
}

/** One assignment that gives the permissions beside it. */
export interface GivingAssignment {
  readonly scope_type: 'client' | 'project' | 'building'
  readonly scope_id: string
  /** ISO 8601 in UTC; absent if it always held or always will. */
  readonly start_at?: string
  readonly expires_at?: string
  /** False if another program wrote it, and does not say whose role it is. */
  readonly says_owner?: boolean
}

/** A role as it was read. */
export interface GivingRole {
  readonly role_id: string
  readonly version: number
}

/** The role and the assignments by which a user has a grant. */
export interface AccessEvidence {
  readonly role_id: string
  readonly role_owner: string
  /** The role and all above it, which are of the same owner, itself first. */
  readonly roles?: readonly GivingRole[]
  readonly assignments: readonly GivingAssignment[]
}

/** The permissions that one role of the user gives, with all above it, and their scopes. */
export interface AccessGrant {
  /** Patterns, in which `*` stands for anything in that part. */
  readonly permissions: readonly Permission[]
  /** Each with all beneath it. */
  readonly scopes: readonly ScopeIds[]
  /** Only where it was asked for. */
  readonly evidence?: AccessEvidence
}

/** The permissions of a user, as they were read at one moment: plain data, for JSON. */
export type AccessData = SnapshotData<AccessGrant> & {
  /** Absent if there is no such user. */
  readonly user_id?: string
  /** The scope that it is about; absent if it is about all of them. */
  readonly place?: ScopeIds
}
