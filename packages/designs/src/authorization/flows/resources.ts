import { cedarProblem } from '@freehold/frame/cedar'
import { naming } from '@freehold/frame/flow'
import { invalidInput } from '@freehold/table/runtime'
import { Resource } from '../design.ts'
import { atTenant, itemFlows, listFlow } from './authorization-host.ts'
import { allows, type FlowActions } from './flow-actions.ts'

const resources = itemFlows(Resource, { scope: atTenant })

/** Attributes that Cedar does not take would deny every question about the resource. Throws `InvalidInput`. */
function checkAttributes({ attributes = {} }: { readonly attributes?: unknown }): void {
  const problem = cedarProblem(attributes)
  if (problem !== undefined) throw invalidInput(Resource.name, [{ path: ['attributes'], message: problem }])
}

/** The flows of the resources that a tenant keeps here: what policies read of them, and what lists enumerate. */
export const resourceFlows = (actions: FlowActions) => ({
  createResource: resources.create({
    name: 'createResource',
    summary: "Keeps a resource of a tenant, with its attributes in Cedar's JSON form.",
    given: ['tenantId', 'type', 'id', 'attributes'],
    needs: allows(actions.createResource),
    scope: atTenant,
    check: ({ input }) => checkAttributes(input),
  }),
  updateResource: resources.update({
    name: 'updateResource',
    summary: 'Gives a resource other attributes in place of all that it had.',
    may: ['attributes'],
    needs: allows(actions.updateResource),
    check: ({ input }) => checkAttributes(input),
  }),
  removeResource: resources.remove({
    name: 'removeResource',
    summary: 'Keeps a resource no longer: it is in no list from then on.',
    needs: allows(actions.removeResource),
  }),
  resourcesOfType: listFlow(Resource, {
    name: 'resourcesOfType',
    summary: 'The resources of a type that a tenant keeps, in the order of their ids: a page at a time.',
    input: naming(Resource, 'tenantId', 'type'),
    needs: allows(actions.resourcesOfType),
    scope: atTenant,
    read: ({ table }, { type }, how, { tenantId }) => table.resourcesOfType({ tenantId, type }, how),
  }),
})
