import type { QuestionName } from '../../decision/decision.ts'
import type { Name } from '../../decision/lookup.ts'
import { type FieldReader, nameOf, readQuestion } from '../../decision/question.ts'
import { EmailIdentity, Location, LocationCodeLookup, Page, User } from '../design.ts'

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

const userId = nameOf(User, 'userId')
const email = nameOf(EmailIdentity, 'email')
const locationId = nameOf(Location, 'locationId')
const locationCode = nameOf(LocationCodeLookup, 'locationCode')
const page = nameOf(Page, 'pageName')

/** An id, else a name that is looked up. Text that is well-formed and neither is unknown, not malformed. */
function named(id: FieldReader<string>, lookup: FieldReader<string>): FieldReader<Name> {
  return (text) => {
    const asId = id(text)
    if (typeof asId === 'string') return { by: 'id', text: asId }
    const asPage = page(text)
    if (typeof asPage !== 'string') return asPage
    const name = lookup(text)
    return typeof name === 'string' ? { by: 'lookup', text: name } : { by: 'nothing', text: asPage }
  }
}

const user = named(userId, email)
const location = named(locationId, locationCode)

export interface Access {
  readonly user: Name
  readonly location: Name
  readonly page: string
}

/** The fields of each question, in the order in which people say them. */
export const fields = {
  can: ['user', 'location', 'page'],
  why: ['user', 'location', 'page'],
  what: ['user', 'location'],
  who: ['location', 'page'],
  where: ['user', 'page'],
} as const satisfies Record<QuestionName, readonly string[]>

export const accessAsked = (question: 'can' | 'why', input: unknown): Access => readQuestion(question, { user, location, page }, input)
export const whatAsked = (input: unknown): Pick<Access, 'user' | 'location'> => readQuestion('what', { user, location }, input)
export const whoAsked = (input: unknown): Pick<Access, 'location' | 'page'> => readQuestion('who', { location, page }, input)
export const whereAsked = (input: unknown): Pick<Access, 'user' | 'page'> => readQuestion('where', { user, page }, input)
