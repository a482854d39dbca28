export { designModules } from './design-modules.ts'
