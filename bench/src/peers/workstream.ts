// A workstream of the platform design: an ordinary entity under two indexes, of which the second names an attribute that changes.

export interface WorkstreamId {
  readonly accountId: string
  readonly id: string
}

export interface NewWorkstream extends WorkstreamId {
  readonly enterpriseId: string
  readonly name: string
  readonly description: string
}

/** Workstreams of one account, and of one enterprise. */
export const each = 25

const numbered = (kind: number, index: number) => `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`
export const account = (index: number): string => numbered(1, index)
export const enterprise = (index: number): string => numbered(2, index)

/** The workstream of this number: 0 to 24 belong to account and enterprise 0, 25 to 49 to those of number 1, and so on. */
export function newWorkstream(index: number): NewWorkstream {
  const group = Math.floor(index / each)
  return {
    accountId: account(group),
    id: numbered(3, index),
    enterpriseId: enterprise(group),
    name: 'Rollout of the new reception',
    description: 'Two floors, forty doors, and the lifts that lead to them',
  }
}

/** The keys under which every peer must store it. */
export function storedKeys({ accountId, id, enterpriseId }: NewWorkstream): Readonly<Record<string, string>> {
  return {
    PK: `ACCOUNT#${accountId}`,
    SK: `WORKSTREAM#${id}`,
    GSI1PK: 'ENTITY#WORKSTREAM',
    GSI1SK: `WORKSTREAM#${id}`,
    GSI2PK: `ENTERPRISE#${enterpriseId}`,
    GSI2SK: `WORKSTREAM#${id}`,
  }
}
