/** Reads events of API Gateway and of function URLs, for all functions that get them. */
export { type Fields, type GatewayEvent, isFields, readGatewayEvent, textOf } from './gateway-event.ts'
export { decodedOnce, pathWithinApi, prefixByArn, segmentsOf } from './gateway-route.ts'
