import type { SessionName } from '@freehold/frame/credentials'
import type { Table } from '@freehold/table'
import type { SessionItems, StoredSession } from './browser-sessions.ts'
import type { serviceDesign } from './design.ts'

/** By what a person came. It has to hold as long as the session does. */
export interface SignedInBy {
  /** The issuer that verified the person: its claim `iss`. */
  readonly issuer?: string | undefined
  /** The identity by which the design knows the person, if it is by one. */
  readonly identity?: { readonly provider: string; readonly subject: string } | undefined
  /** The session of its design, where that has sessions. */
  readonly login?: SessionName | undefined
}

export interface PersonSessionItem extends StoredSession, SignedInBy {}

const storedName = ({ tenant, ...name }: SessionName) => ({ ...name, ...(tenant === undefined ? {} : { tenant }) })

/** The sessions of people, in the table of the keys. Their holder is text of `holderOf`. */
export function personItems(table: Table<typeof serviceDesign>): SessionItems<SignedInBy, PersonSessionItem> {
  return {
    create: (person, { login, ...session }) => table.PersonSession.create({ person, ...session, login: login && storedName(login) }),
    read: (person, sessionId) => table.PersonSession.get({ person, sessionId }, { consistent: true, secrets: ['secretHash'] }),
    used: (person, sessionId, usedAt) => table.PersonSession.update({ person, sessionId }, { usedAt }),
    all: (person) => table.sessionsOfPerson.all({ person }, { consistent: true }),
    remove: (person, sessionId) => table.PersonSession.remove({ person, sessionId }),
  }
}

/** Names a person in a key and in the text of a session. */
export const holderOf = (design: string, user: string) => Buffer.from(JSON.stringify([design, user])).toString('base64url')

/** The design and the user of a holder that was found. */
export function heldBy(holder: string): readonly [design: string, user: string] {
  // Only `holderOf` writes them.
  return JSON.parse(Buffer.from(holder, 'base64url').toString()) as [string, string]
}
