import type { Runtime } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'

/** An item as a foreign writer would write it: its keys are spelled out here, as the document has them, and not by the code under test. */
export type LiteralItem = { readonly PK: string; readonly SK: string; readonly [attribute: string]: string | number | boolean }

const at = '2026-01-01T00:00:00.000Z'
const stamps = { createdAt: at, updatedAt: at }

const letters = { user: 'A', location: 'B', group: 'C' }

/** A ULID that tells what it is of: the same for the same number, and in the order of the numbers. */
export function idOf(kind: keyof typeof letters, number: number): string {
  return `01H${letters[kind]}${String(number).padStart(22, '0')}`
}

function item(Type: string, PK: string, SK: string, attributes: Readonly<Record<string, string | number | boolean>>): LiteralItem {
  return { PK, SK, Type, version: 1, ...attributes }
}

export function userItems(
  userId: string,
  displayName: string,
  { email, isAdmin = false }: { email?: string; isAdmin?: boolean } = {},
): LiteralItem[] {
  const identity = { userId, email: email ?? '', provider: 'google', ...stamps }
  return [
    item('User', `USER#${userId}`, 'META', { userId, displayName, userType: 'MEMBER', isAdmin, ...stamps }),
    item('UserEntry', 'DIRECTORY#USER', `USER#${userId}`, { userId, displayName }),
    ...(email === undefined
      ? []
      : [item('EmailIdentity', `EMAIL#${email}`, 'META', identity), item('UserEmailEdge', `USER#${userId}`, `EMAIL#${email}`, identity)]),
  ]
}

export function locationItems(locationId: string, locationCode: string): LiteralItem[] {
  const name = `Place ${locationCode}`
  return [
    item('Location', `LOCATION#${locationId}`, 'META', { locationId, locationCode, name, ...stamps }),
    item('LocationCodeLookup', `LOCATION_CODE#${locationCode}`, 'META', { locationCode, locationId, createdAt: at }),
    item('LocationEntry', 'DIRECTORY#LOCATION', `LOCATION#${locationId}`, { locationId, locationCode, name }),
  ]
}

export function groupItems(groupId: string, locationId: string): LiteralItem[] {
  const name = `Group ${groupId.slice(-4)}`
  const group = { groupId, locationId, name }
  return [
    item('UserGroup', `GROUP#${groupId}`, 'META', { ...group, groupType: 'TEACHER', ...stamps }),
    item('LocationGroup', `LOCATION#${locationId}`, `GROUP#${groupId}`, { ...group, groupType: 'TEACHER' }),
    item('GroupEntry', 'DIRECTORY#GROUP', `GROUP#${groupId}`, group),
  ]
}

export function roleItems(roleName: string): LiteralItem[] {
  return [
    item('Role', `ROLE#${roleName}`, 'META', { roleName, ...stamps }),
    item('RoleEntry', 'DIRECTORY#ROLE', `ROLE#${roleName}`, { roleName }),
  ]
}

export function pageItems(pageName: string): LiteralItem[] {
  return [
    item('Page', `PAGE#${pageName}`, 'META', { pageName, createdAt: at }),
    item('PageEntry', 'DIRECTORY#PAGE', `PAGE#${pageName}`, { pageName }),
  ]
}

export function membershipItems(userId: string, locationId: string): LiteralItem[] {
  const edge = { userId, locationId, joinedAt: at }
  return [
    item('UserLocationEdge', `USER#${userId}`, `LOCATION#${locationId}`, edge),
    item('LocationUserEdge', `LOCATION#${locationId}`, `USER#${userId}`, edge),
  ]
}

export function groupMembershipItems(userId: string, groupId: string, locationId: string): LiteralItem[] {
  const edge = { userId, groupId, joinedAt: at }
  return [
    item('UserGroupEdge', `USER#${userId}`, `GROUP#${groupId}`, { ...edge, locationId, groupType: 'TEACHER' }),
    item('GroupUserEdge', `GROUP#${groupId}`, `USER#${userId}`, edge),
  ]
}

export function groupRoleItems(groupId: string, roleName: string): LiteralItem[] {
  const edge = { groupId, roleName, assignedAt: at }
  return [
    item('GroupRole', `GROUP#${groupId}`, `ROLE#${roleName}`, edge),
    item('RoleGroupEdge', `ROLE#${roleName}`, `GROUP#${groupId}`, edge),
  ]
}

export function permissionItems(roleName: string, pageName: string, permission: 'ALLOW' | 'DENY' = 'ALLOW'): LiteralItem[] {
  const edge = { roleName, pageName, permission, ...stamps }
  return [
    item('RolePagePermission', `ROLE#${roleName}`, `PAGE#${pageName}`, edge),
    item('PageRoleEdge', `PAGE#${pageName}`, `ROLE#${roleName}`, edge),
  ]
}

type Wire = { readonly S: string } | { readonly N: string } | { readonly BOOL: boolean } | { readonly L: readonly Wire[] }

function wire(value: string | number | boolean | readonly string[]): Wire {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'object') return { L: value.map(wire) }
  return typeof value === 'number' ? { N: String(value) } : { BOOL: value }
}

const wired = (plain: Readonly<Record<string, string | number | boolean>>): Record<string, Wire> =>
  Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, wire(value)]))

/** BatchWriteItem takes 25. */
const batchMax = 25

/** Writes items past the code under test. */
export async function writeLiterally({ sender, table }: Runtime, items: readonly LiteralItem[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / batchMax) }, (_, index) =>
    items.slice(index * batchMax, (index + 1) * batchMax),
  )
  await parallelMap(batches, async (batch) => {
    const puts = batch.map((plain) => ({ PutRequest: { Item: wired(plain) } }))
    await sender.send('BatchWriteItem', { RequestItems: { [table]: puts } })
  })
}

export async function removeLiterally({ sender, table }: Runtime, PK: string, SK: string): Promise<void> {
  await sender.send('DeleteItem', { TableName: table, Key: wired({ PK, SK }) })
}

/** Sets an attribute of an item that is there; null takes it away. */
export async function setLiterally(
  { sender, table }: Runtime,
  { PK, SK }: { readonly PK: string; readonly SK: string },
  name: string,
  value: string | number | boolean | null | readonly string[],
): Promise<void> {
  await sender.send('UpdateItem', {
    TableName: table,
    Key: wired({ PK, SK }),
    UpdateExpression: value === null ? 'REMOVE #n' : 'SET #n = :v',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeNames: { '#n': name },
    ...(value === null ? {} : { ExpressionAttributeValues: { ':v': wire(value) } }),
  })
}
