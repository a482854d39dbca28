import { naming } from '../../flow/input-attributes.ts'
import { waiting } from '../../flow/item-flows.ts'
import { ensureItem } from '../../flow/write-item.ts'
import { itemOf } from '../../returns.ts'
import { Enterprise, EnterpriseProduct, EnterpriseService, Product, Service } from '../design.ts'
import { flow, inSystem, itemFlows } from './platform-host.ts'

const enterprises = itemFlows(Enterprise, { scope: inSystem })
const products = itemFlows(Product, { scope: inSystem })
const services = itemFlows(Service, { scope: inSystem })

const described = ['name', 'description'] as const
const created = { given: ['id', ...described], needs: 'operator', scope: inSystem } as const
const updated = { may: described, needs: 'operator' } as const
const deleted = { input: waiting, needs: 'operator' } as const
const assigned = { needs: 'operator', effect: 'write', errors: ['BeingDeleted', 'MissingEnd'], scope: inSystem } as const

/** The flows of enterprises, products and services: for operators, since these are of no account. */
export const catalogueFlows = {
  createEnterprise: enterprises.create({ name: 'createEnterprise', summary: 'Creates an enterprise.', ...created }),
  updateEnterprise: enterprises.update({
    name: 'updateEnterprise',
    summary: 'Changes the name or the description of an enterprise.',
    ...updated,
  }),
  deleteEnterprise: enterprises.remove({
    name: 'deleteEnterprise',
    summary: 'Deletes an enterprise. Refused while licences or workstreams are of it.',
    ...deleted,
  }),
  createProduct: products.create({ name: 'createProduct', summary: 'Creates a product.', ...created }),
  updateProduct: products.update({ name: 'updateProduct', summary: 'Changes the name or the description of a product.', ...updated }),
  deleteProduct: products.remove({ name: 'deleteProduct', summary: 'Deletes a product. Refused while an enterprise has it.', ...deleted }),
  createService: services.create({ name: 'createService', summary: 'Creates a service.', ...created }),
  updateService: services.update({ name: 'updateService', summary: 'Changes the name or the description of a service.', ...updated }),
  deleteService: services.remove({ name: 'deleteService', summary: 'Deletes a service. Refused while an enterprise has it.', ...deleted }),
  assignProduct: flow({
    name: 'assignProduct',
    summary: 'Gives an enterprise a product. One that it has stays as it is.',
    ...assigned,
    input: naming(EnterpriseProduct, 'enterpriseId', 'productId'),
    returns: itemOf(EnterpriseProduct),
    writes: { create: EnterpriseProduct },
    run: (context, pair) => ensureItem(context, EnterpriseProduct, pair),
  }),
  unassignProduct: itemFlows(EnterpriseProduct, { scope: inSystem }).remove({
    name: 'unassignProduct',
    summary: 'Takes a product from an enterprise. Refused while a licence names it.',
    needs: 'operator',
  }),
  assignService: flow({
    name: 'assignService',
    summary: 'Gives an enterprise a service. One that it has stays as it is.',
    ...assigned,
    input: naming(EnterpriseService, 'enterpriseId', 'serviceId'),
    returns: itemOf(EnterpriseService),
    writes: { create: EnterpriseService },
    run: (context, pair) => ensureItem(context, EnterpriseService, pair),
  }),
  unassignService: itemFlows(EnterpriseService, { scope: inSystem }).remove({
    name: 'unassignService',
    summary: 'Takes a service from an enterprise. Refused while a licence names it.',
    needs: 'operator',
  }),
}
