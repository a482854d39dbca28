import type { Words } from '@freehold/frame'

/** What the attributes and inputs of the design are, for the document of the API. */
export const words: Words = {
  action: 'The id of an action of the policies’ schema. It applies to the type of the resource, or to tenants where none is given.',
  actions: 'The actions that are permitted.',
  add: 'The ids of the roles that the grant gets.',
  attributes: 'The attributes that policies read, in the JSON form of Cedar.',
  context: 'The context of the request, without the tenant, in the JSON form of Cedar.',
  email: 'The e-mail address of the user.',
  familyName: 'The family name of the user.',
  givenName: 'The given name of the user.',
  id: 'The id of the resource.',
  ignored: 'The properties that no policy sees, since the schema does not declare them.',
  name: 'The name.',
  phone: 'The phone number, with its country code, without `(0)`.',
  policies: 'The ids of the policies that permit it.',
  preferredUsername: 'The name by which the user is known.',
  prefix: 'How the names begin: some text.',
  properties: 'Attributes that count as far as the schema declares them.',
  resource: 'The resource that is asked about.',
  roles: 'The ids of the roles.',
  scope: 'Whether the role is of a tenant, or global.',
  'Tenant.status': 'A tenant that is suspended allows nothing.',
  take: 'The ids of the roles that the grant loses.',
  tenantGrantId: 'The id of the grant.',
  type: 'A type of the policies’ schema, such as `Ticket`.',
  user: 'The attributes of the user.',
}
