import { waiting } from '@freehold/frame/flow'
import { Enterprise, EnterpriseProduct, EnterpriseService, Product, Service } from '../design.ts'
import { inSystem, itemFlows } from './platform-host.ts'

const enterprises = itemFlows(Enterprise, { scope: inSystem })
const products = itemFlows(Product, { scope: inSystem })
const services = itemFlows(Service, { scope: inSystem })
const productsOf = itemFlows(EnterpriseProduct, { scope: inSystem })
const servicesOf = itemFlows(EnterpriseService, { scope: inSystem })

const described = ['name', 'description'] as const
const created = { given: ['id', ...described], needs: 'operator', scope: inSystem } as const
const updated = { may: described, needs: 'operator' } as const
const deleted = { input: waiting, needs: 'operator' } as const

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
  assignProduct: productsOf.ensure({
    name: 'assignProduct',
    summary: 'Gives an enterprise a product. One that it has stays as it is.',
    given: ['enterpriseId', 'productId'],
    needs: 'operator',
    scope: inSystem,
  }),
  unassignProduct: productsOf.remove({
    name: 'unassignProduct',
    summary: 'Takes a product from an enterprise. Refused while a licence names it.',
    needs: 'operator',
  }),
  assignService: servicesOf.ensure({
    name: 'assignService',
    summary: 'Gives an enterprise a service. One that it has stays as it is.',
    given: ['enterpriseId', 'serviceId'],
    needs: 'operator',
    scope: inSystem,
  }),
  unassignService: servicesOf.remove({
    name: 'unassignService',
    summary: 'Takes a service from an enterprise. Refused while a licence names it.',
    needs: 'operator',
  }),
}
