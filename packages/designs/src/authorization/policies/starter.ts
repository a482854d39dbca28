const schema = `// What policies may speak of. A user's parents are its global roles, and the roles of its grant in the tenant that the request is made for.
// Roles are named by their names. Tenants are named by their ids.

type Request = {
  // The tenant that the request is made for. Freehold adds it.
  tenant: Tenant,
};

entity Tenant;

// A role of grants: what a user may be in a tenant.
entity Role;

// A role of users. Without a grant in the tenant it gives nothing there.
entity GlobalRole;

entity User in [Role, GlobalRole];

entity Ticket = {
  tenant: Tenant,
  assignee?: User,
  status: String,
};

// The flows of freehold that a user may call. All others are for operators.
action renameTenant, createGrant, changeGrantRoles, removeGrant, grantsOfTenant,
  createResource, updateResource, removeResource, resourcesOfType appliesTo {
  principal: User,
  resource: Tenant,
  context: Request,
};

// To give this role: asked of each role that createGrant or changeGrantRoles gives.
action grant appliesTo { principal: User, resource: Role, context: Request };

action createTicket appliesTo { principal: User, resource: Tenant, context: Request };

action readTickets;

action viewTicket in [readTickets] appliesTo { principal: User, resource: Ticket, context: Request };

action closeTicket, assignTicket appliesTo { principal: User, resource: Ticket, context: Request };
`

const guardrails = `// Guardrails: what no role may do. A forbid wins over every permit.
@id("stay-in-the-tenant")
@reason("The tenant is not the one that the request is made for.")
forbid (
  principal,
  action,
  resource is Tenant
)
unless { resource == context.tenant };

@id("tickets-stay-in-their-tenant")
@reason("The ticket belongs to another tenant.")
forbid (
  principal,
  action,
  resource is Ticket
)
unless { resource.tenant == context.tenant };
`

const roles = `// What each role may do in the tenant of the request.
@id("owners-manage-members")
@reason("An owner of the tenant manages its members.")
permit (
  principal in Role::"owner",
  action in
    [Action::"renameTenant",
     Action::"createGrant",
     Action::"changeGrantRoles",
     Action::"removeGrant",
     Action::"grantsOfTenant",
     Action::"createResource",
     Action::"updateResource",
     Action::"removeResource",
     Action::"resourcesOfType"],
  resource
);

@id("owners-grant-roles")
@reason("An owner of the tenant gives these roles.")
permit (
  principal in Role::"owner",
  action == Action::"grant",
  resource
)
when { resource in [Role::"owner", Role::"agent", Role::"viewer"] };

@id("agents-work-on-tickets")
@reason("An agent works on the tickets of the tenant.")
permit (
  principal in Role::"agent",
  action in
    [Action::"createTicket",
     Action::"viewTicket",
     Action::"closeTicket",
     Action::"assignTicket"],
  resource
);

@id("viewers-read-tickets")
@reason("A viewer reads the tickets of the tenant.")
permit (
  principal in Role::"viewer",
  action in Action::"readTickets",
  resource
);
`

const examples = `// Examples of policies that look at more than roles.
@id("assignees-close-their-tickets")
@reason("The ticket is assigned to the user.")
permit (
  principal,
  action in [Action::"viewTicket", Action::"closeTicket"],
  resource
)
when { resource has assignee && resource.assignee == principal };

@id("support-reads-tickets")
@reason("Support reads the tickets of the tenants that have let it in.")
permit (
  principal in GlobalRole::"support",
  action in Action::"readTickets",
  resource
);

@id("archived-tickets-stay")
@reason("The ticket is archived.")
forbid (
  principal,
  action in [Action::"closeTicket", Action::"assignTicket"],
  resource
)
when { resource.status == "archived" };
`

const cases = `# Each case is one question with its answer. \`by\` names the policies that decide: every forbid that holds, or else every permit that holds.
# A user without a grant in the tenant is denied before any policy is asked.
# Attributes and context are in Cedar's JSON form: an entity is {type, id}.

- name: An owner renames the tenant
  principal: { id: olga }
  grants: { acme: [owner] }
  tenant: acme
  action: renameTenant
  resource: { type: Tenant, id: acme }
  decision: allow
  by: [owners-manage-members]

- name: An owner gives the role of an agent
  principal: { id: olga }
  grants: { acme: [owner] }
  tenant: acme
  action: grant
  resource: { type: Role, id: agent }
  decision: allow
  by: [owners-grant-roles]

- name: An owner does not give a role that is not named
  principal: { id: olga }
  grants: { acme: [owner] }
  tenant: acme
  action: grant
  resource: { type: Role, id: auditor }
  decision: deny
  by: []

- name: An owner does not rename another tenant
  principal: { id: olga }
  grants: { acme: [owner], rival: [viewer] }
  tenant: acme
  action: renameTenant
  resource: { type: Tenant, id: rival }
  decision: deny
  by: [stay-in-the-tenant]

- name: An agent closes a ticket
  principal: { id: ada }
  grants: { acme: [agent] }
  tenant: acme
  action: closeTicket
  resource: { type: Ticket, id: t-1, attributes: { status: open, tenant: { type: Tenant, id: acme } } }
  decision: allow
  by: [agents-work-on-tickets]

- name: An agent does not close a ticket of another tenant
  principal: { id: ada }
  grants: { acme: [agent] }
  tenant: acme
  action: closeTicket
  resource: { type: Ticket, id: t-2, attributes: { status: open, tenant: { type: Tenant, id: rival } } }
  decision: deny
  by: [tickets-stay-in-their-tenant]

- name: An agent does not close an archived ticket
  principal: { id: ada }
  grants: { acme: [agent] }
  tenant: acme
  action: closeTicket
  resource: { type: Ticket, id: t-3, attributes: { status: archived, tenant: { type: Tenant, id: acme } } }
  decision: deny
  by: [archived-tickets-stay]

- name: A viewer reads a ticket
  principal: { id: vera }
  grants: { acme: [viewer] }
  tenant: acme
  action: viewTicket
  resource: { type: Ticket, id: t-1, attributes: { status: open, tenant: { type: Tenant, id: acme } } }
  decision: allow
  by: [viewers-read-tickets]

- name: A viewer does not close it
  principal: { id: vera }
  grants: { acme: [viewer] }
  tenant: acme
  action: closeTicket
  resource: { type: Ticket, id: t-1, attributes: { status: open, tenant: { type: Tenant, id: acme } } }
  decision: deny
  by: []

- name: A member without roles closes the ticket that is assigned to it
  principal: { id: mia }
  grants: { acme: [] }
  tenant: acme
  action: closeTicket
  resource:
    type: Ticket
    id: t-4
    attributes: { status: open, tenant: { type: Tenant, id: acme }, assignee: { type: User, id: mia } }
  decision: allow
  by: [assignees-close-their-tickets]

- name: Support reads a ticket of a tenant that has let it in
  principal: { id: sam, roles: [support] }
  grants: { acme: [] }
  tenant: acme
  action: viewTicket
  resource: { type: Ticket, id: t-1, attributes: { status: open, tenant: { type: Tenant, id: acme } } }
  decision: allow
  by: [support-reads-tickets]

- name: Support reads nothing of a tenant that has not
  principal: { id: sam, roles: [support] }
  grants: {}
  tenant: acme
  action: viewTicket
  resource: { type: Ticket, id: t-1, attributes: { status: open, tenant: { type: Tenant, id: acme } } }
  decision: deny
  by: []
`

/** The files that a folder of policies begins with, by their names. */
export const starterFiles: Readonly<Record<string, string>> = Object.freeze({
  'schema.cedarschema': schema,
  'guardrails.cedar': guardrails,
  'roles.cedar': roles,
  'examples.cedar': examples,
  'tickets.cases.yaml': cases,
})
