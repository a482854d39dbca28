import { isFreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { Keys } from './keys.ts'

// The document writes its ULIDs short ("01ARZ3NDEK..."); this is the one they are the beginning of.
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

test.each([
  ['emailPK', Keys.emailPK('user@example.com'), 'EMAIL#user@example.com'],
  ['userPK', Keys.userPK(id), `USER#${id}`],
  ['locationPK', Keys.locationPK(id), `LOCATION#${id}`],
  ['locationCodePK', Keys.locationCodePK('NYC001'), 'LOCATION_CODE#NYC001'],
  ['groupPK', Keys.groupPK(id), `GROUP#${id}`],
  ['rolePK', Keys.rolePK('teacher'), 'ROLE#teacher'],
  ['pagePK', Keys.pagePK('dashboard'), 'PAGE#dashboard'],
  ['metaSK', Keys.metaSK(), 'META'],
  ['locationSK', Keys.locationSK(id), `LOCATION#${id}`],
  ['userSK', Keys.userSK(id), `USER#${id}`],
  ['groupSK', Keys.groupSK(id), `GROUP#${id}`],
  ['roleSK', Keys.roleSK('teacher'), 'ROLE#teacher'],
  ['pageSK', Keys.pageSK('dashboard'), 'PAGE#dashboard'],
  ['LOCATION_PREFIX', Keys.LOCATION_PREFIX, 'LOCATION#'],
  ['USER_PREFIX', Keys.USER_PREFIX, 'USER#'],
  ['GROUP_PREFIX', Keys.GROUP_PREFIX, 'GROUP#'],
  ['ROLE_PREFIX', Keys.ROLE_PREFIX, 'ROLE#'],
  ['PAGE_PREFIX', Keys.PAGE_PREFIX, 'PAGE#'],
])('%s is as in the document', (_, made, documented) => {
  expect(made).toBe(documented)
})

test('values are normalised as they are when they are written', () => {
  expect(Keys.emailPK(' User@Example.COM ')).toBe('EMAIL#user@example.com')
  expect(Keys.locationCodePK('nyc001')).toBe('LOCATION_CODE#NYC001')
  expect(Keys.userSK(id.toLowerCase())).toBe(`USER#${id}`)
  expect(Keys.rolePK(' Cafe\u0301 ')).toBe('ROLE#Caf\u00e9')
})

test.each([
  ['no address', () => Keys.emailPK('user'), 'InvalidInput'],
  ['no ULID', () => Keys.userPK('01ARZ3NDEK...'), 'InvalidInput'],
  ['an empty name', () => Keys.rolePK(' '), 'InvalidKey'],
  ['a control character', () => Keys.pageSK('a\u0000b'), 'InvalidKey'],
])('%s makes no key', (_, make, code) => {
  expect(make).toThrow(expect.toSatisfy((error) => isFreeholdError(error, code as 'InvalidKey')))
})
