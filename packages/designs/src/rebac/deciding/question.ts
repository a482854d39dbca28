import {
  type Asked,
  type DeciderFor,
  decision,
  explanation,
  type Name,
  nameOf,
  type Problem,
  type Questions,
  type TextReader,
  textField,
} from '@freehold/frame/decision'
import { pageOfValues } from '@freehold/frame/flow'
import { code, oneOf, record, text, ulid } from '@freehold/table'
import { EmailIdentity, Location, LocationCodeLookup, Page, User } from '../design.ts'
import type { Grant } from './grants.ts'

/** `can` and `why`: may this user open this page at this location? */
export interface AccessQuestion {
  /** An id (ULID), or an e-mail address in any spelling. */
  readonly user: string
  /** An id (ULID), or a code in any spelling. What looks like an id is one. */
  readonly location: string
  readonly page: string
}
/** Which pages may this user open at this location? */
export type WhatQuestion = Pick<AccessQuestion, 'user' | 'location'>
/** Which users may open this page at this location? */
export type WhoQuestion = Pick<AccessQuestion, 'location' | 'page'>
/** At which locations may this user open this page? */
export type WhereQuestion = Pick<AccessQuestion, 'user' | 'page'>

/** A page that is open to the user, and one grant that opens it; `why` tells all. */
export type OpenPage = {
  readonly page: string
  readonly grantedBy: Grant
}
/** A user who may open the page at the location, and one grant by which; `why` tells all. */
export type AllowedUser = {
  readonly userId: string
  readonly displayName: string
  readonly userType: 'MEMBER' | 'LEAD'
  readonly grantedBy: Grant
}
/** A location where the user may open the page, and one grant by which; `why` tells all. */
export type AllowedLocation = {
  readonly locationId: string
  readonly locationCode: string
  readonly locationName: string
  readonly grantedBy: Grant
}

/** The five questions of rebac, typed. */
export interface RebacDecider
  extends DeciderFor<{
    readonly can: AccessQuestion
    readonly what: [WhatQuestion, OpenPage]
    readonly who: [WhoQuestion, AllowedUser]
    readonly where: [WhereQuestion, AllowedLocation]
  }> {}

const pageName = nameOf(Page, 'pageName')

/** An id, else a name that is looked up. Text that is well-formed and neither is unknown, not malformed. */
function named(description: string, id: TextReader, lookup: TextReader) {
  return textField(Page.attributes.pageName.describe(description), (given): Name | Problem => {
    const asId = id(given)
    if (typeof asId === 'string') return { by: 'id', text: asId }
    const asPage = pageName(given)
    if (typeof asPage !== 'string') return asPage
    const name = lookup(given)
    return typeof name === 'string' ? { by: 'lookup', text: name } : { by: 'nothing', text: asPage }
  })
}

const user = named('The user, by its ULID or e-mail address.', nameOf(User, 'userId'), nameOf(EmailIdentity, 'email'))
const location = named('The location, by its ULID or code.', nameOf(Location, 'locationId'), nameOf(LocationCodeLookup, 'locationCode'))
const page = textField(Page.attributes.pageName.describe('The name of the page.'), pageName)
const grantedBy = record({ groupId: ulid(), roleName: text() })

export const questions = {
  can: { summary: 'May this user open this page at this location?', fields: { user, location, page }, answer: decision },
  why: { summary: 'By which items, or for want of which, is it so?', fields: { user, location, page }, answer: explanation },
  what: {
    summary: 'Which pages may this user open at this location?',
    fields: { user, location },
    answer: pageOfValues<OpenPage>({ page: text(), grantedBy }),
  },
  who: {
    summary: 'Which users may open this page at this location?',
    fields: { location, page },
    answer: pageOfValues<AllowedUser>({ userId: ulid(), displayName: text(), userType: oneOf('MEMBER', 'LEAD'), grantedBy }),
  },
  where: {
    summary: 'At which locations may this user open this page?',
    fields: { user, page },
    answer: pageOfValues<AllowedLocation>({ locationId: ulid(), locationCode: code(), locationName: text(), grantedBy }),
  },
} as const satisfies Questions

export type Access = Asked<typeof questions.can>
