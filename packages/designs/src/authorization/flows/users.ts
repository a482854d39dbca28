import { guardTaken, naming, waiting } from '@freehold/frame/flow'
import type { FreeholdError } from '@freehold/table'
import { RoleById, User, UserEmail, UserPhone, UserPreferredUsername } from '../design.ts'
import { inSystem, itemFlows } from './authorization-host.ts'

const users = itemFlows(User, { scope: inSystem })
const emailTaken = guardTaken(User, UserEmail, 'This e-mail address is taken.')
const phoneTaken = guardTaken(User, UserPhone, 'This phone number is taken.')
const usernameTaken = guardTaken(User, UserPreferredUsername, 'This username is taken.')
const role = naming(RoleById, 'roleId')

/** The flows of users: for operators, since a user is of every tenant that has granted it something. */
export const userFlows = {
  createUser: users.create({
    name: 'createUser',
    summary: 'Creates a user. Its e-mail address, phone number and username are its own among all users.',
    given: ['userId', 'email', 'phone', 'preferredUsername', 'givenName', 'familyName'],
    needs: 'operator',
    scope: inSystem,
    refusal: (error: FreeholdError) => emailTaken(phoneTaken(usernameTaken(error))),
  }),
  updateUser: users.update({
    name: 'updateUser',
    summary: 'Changes the given name or the family name of a user.',
    may: ['givenName', 'familyName'],
    needs: 'operator',
  }),
  changeEmail: users.update({
    name: 'changeEmail',
    summary: 'Gives a user another e-mail address, and frees the one that it had.',
    may: ['email'],
    needs: 'operator',
    refusal: emailTaken,
  }),
  changePhone: users.update({
    name: 'changePhone',
    summary: 'Gives a user another phone number, or none where that is null, and frees the one that it had.',
    may: ['phone'],
    needs: 'operator',
    refusal: phoneTaken,
  }),
  changePreferredUsername: users.update({
    name: 'changePreferredUsername',
    summary: 'Gives a user another username, or none where that is null, and frees the one that it had.',
    may: ['preferredUsername'],
    needs: 'operator',
    refusal: usernameTaken,
  }),
  giveGlobalRole: users.update({
    name: 'giveGlobalRole',
    summary: 'Gives a user a global role, which it has in each tenant where it has a grant.',
    input: role,
    needs: 'operator',
    errors: ['MissingEnd'],
    change: ({ input: { roleId } }, { roles }) => (roles.includes(roleId) ? {} : { roles: [...roles, roleId] }),
  }),
  takeGlobalRole: users.update({
    name: 'takeGlobalRole',
    summary: 'Takes a global role from a user.',
    input: role,
    needs: 'operator',
    change: ({ input: { roleId } }, { roles }) => (roles.includes(roleId) ? { roles: roles.filter((each) => each !== roleId) } : {}),
  }),
  deleteUser: users.remove({
    name: 'deleteUser',
    summary: 'Deletes a user with its grants in all tenants, by a durable job. From the start it is allowed nothing.',
    input: waiting,
    needs: 'operator',
    cascades: () => true,
  }),
}
