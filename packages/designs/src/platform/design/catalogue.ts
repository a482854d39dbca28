import { untold } from '@freehold/frame/attributes'
import { edge, entity, opaqueId, stamp } from '@freehold/table'
import { described } from './attributes.ts'

// Products and services (document §8), enterprises (§2): an enterprise that goes leaves its products, a product in use stays

export const Product = entity('Product', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['PRODUCT#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#PRODUCT', 'PRODUCT#{id}'] },
})

export const Service = entity('Service', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['SERVICE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#SERVICE', 'SERVICE#{id}'] },
})

export const Enterprise = entity('Enterprise', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['ENTERPRISE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ENTERPRISE', 'ENTERPRISE#{id}'] },
})

export const { EnterpriseProduct, ProductUse } = edge({
  ends: { enterpriseId: Enterprise, productId: { to: Product, onRemove: 'refuse' } },
  attributes: { assignedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: {
    EnterpriseProduct: ['ENTERPRISE#{enterpriseId}', 'PRODUCT#{productId}'],
    ProductUse: ['PRODUCT_USES#{productId}', 'ENTERPRISE#{enterpriseId}'],
  },
  additions: { ProductUse: 'deleting a product in use is refused' },
})

export const { EnterpriseService, ServiceUse } = edge({
  ends: { enterpriseId: Enterprise, serviceId: { to: Service, onRemove: 'refuse' } },
  attributes: { assignedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: {
    EnterpriseService: ['ENTERPRISE#{enterpriseId}', 'SERVICE#{serviceId}'],
    ServiceUse: ['SERVICE_USES#{serviceId}', 'ENTERPRISE#{enterpriseId}'],
  },
  additions: { ServiceUse: 'deleting a service in use is refused' },
})
